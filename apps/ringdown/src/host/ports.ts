import { freePort } from '@ringdown/embedded';
import { nodeErrorCode } from '@ringdown/errors';
import { innerServerSettings, listenReason, type Logger } from '@ringdown/observability';
import { readSettings, type Environment } from '@ringdown/settings';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Checks ports, by the names of their settings, before anything else is started, so that a busy port is reported at
 * once. Throws an Error that names the setting.
 */
export async function assertPortsFree(
  ports: Readonly<Record<string, number | undefined>>,
  hostOf: (setting: string) => Host,
): Promise<void> {
  const settingOf = new Map<number, string>();
  for (const [setting, port] of Object.entries(ports)) {
    if (port === undefined) continue;
    const other = settingOf.get(port);
    if (port !== 0 && other !== undefined) {
      throw new Error(`${other} and ${setting} are both ${port}; each needs its own port`);
    }
    settingOf.set(port, setting);
    await assertPortFree(port, hostOf(setting), setting);
  }
}

/**
 * The port for health and metrics, which no other system depends on: if the default is in use, for example by another
 * system on this machine, any free port is used. A port that the operator has set is not changed.
 */
export async function freeInnerPort({ env, besides, logger }: InnerPortOptions): Promise<number> {
  const { innerPort: port } = readSettings(innerServerSettings, env);
  if (isChosen(env)) return port;
  const { host } = innerHostOf(env);
  if (!besides.includes(port) && (await isFree(port, env))) return port;
  const other = await freePort();
  // Not an error: the addresses that are printed when everything runs include this one.
  logger.info(`port ${port} on ${host} is in use (INNER_PORT); health and metrics are at port ${other}`);
  return other;
}

/** The port for health and metrics that the operator has set; otherwise any. */
export function chosenInnerPort(env: Environment): number {
  return isChosen(env) ? readSettings(innerServerSettings, env).innerPort : 0;
}

export function innerHostOf(env: Environment): Host {
  return { host: readSettings(innerServerSettings, env).innerHost, hostSetting: innerServerSettings.innerHost.env };
}

function isChosen(env: Environment): boolean {
  return env[innerServerSettings.innerPort.env] !== undefined;
}

interface InnerPortOptions {
  readonly env: Environment;
  /** Ports that this system is going to use for other servers. */
  readonly besides: readonly (number | undefined)[];
  readonly logger: Logger;
}

function isFree(port: number, env: Environment): Promise<boolean> {
  return assertPortFree(port, innerHostOf(env), 'INNER_PORT').then(
    () => true,
    () => false,
  );
}

/** An address of this machine, and the setting that names it. */
export interface Host {
  readonly host: string;
  readonly hostSetting: string;
}

/** Throws an Error that names the setting to change, with the error of the system as its cause. */
export async function assertPortFree(port: number, { host, hostSetting }: Host, setting: string): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = nodeErrorCode(error);
    const blamed = code === 'EADDRINUSE' || code === 'EACCES' ? setting : hostSetting;
    throw new Error(`${listenReason(error, port, host)} (${blamed})`, { cause: error });
  }
  server.close();
  await once(server, 'close');
}
