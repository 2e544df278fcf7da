import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { listenOn } from '@ringdown/node-http';

/** Opens the port of an application and returns its number; fails as {@link listenOn} does. */
export function listen(app: NestFastifyApplication, port: number, host: string): Promise<number> {
  return listenOn(app.getHttpServer(), port, host, (at) => app.listen(at));
}
