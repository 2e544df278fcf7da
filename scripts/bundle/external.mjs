// Packages that bundles leave outside.

/** Those with a native part are installed beside the bundles. */
const NATIVE = /^@node-rs\/argon2(?:$|\/)/;
/** Packages load these only if they are installed, and say so themselves if they are needed. */
const OPTIONAL =
  /^(?:@nestjs\/(?:websockets|platform-express)|@fastify\/(?:view|multipart)|amqp-connection-manager|class-transformer|ioredis|kafkajs|mqtt|pg-native)(?:$|\/)/;

/** Whether the package of this name, or of this path in it, must be installed where a bundle runs. */
export function isExternal(name) {
  return NATIVE.test(name);
}

/** Whether a bundle does without it. */
export function isOptional(name) {
  return OPTIONAL.test(name);
}
