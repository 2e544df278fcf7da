import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Below the ports that systems use for outgoing connections: one of those may be in use again before it is opened. */
const LOWEST = 16_384;
const HIGHEST = 32_767;
const TRIES = 100;
const CHECK_MS = 25;
/** Who has asked for a port opens it within seconds; no one else gets it meanwhile. */
const RESERVED_MS = 60_000;

/** A port of the loopback address that is not in use now, and that no other caller on this machine has just been given. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST + 1 - LOWEST));
    // In this order: the check opens the port for a moment, and another one may have it reserved and open it then.
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`no free port found in ${TRIES} attempts from ${LOWEST} to ${HIGHEST}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    server.once('error', () => resolve(false));
  });
}

/**
 * False if another process of the machine has reserved the port, until that ends or a minute has passed. An abstract name of Linux
 * (unix(7)) leaves no file behind; elsewhere ports are not reserved.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const reservation = createServer();
  const isOurs = await new Promise<boolean>((resolve) => {
    // A system that has no such names for us has no reservations.
    reservation.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
    reservation.listen(`\0ringdown-port-${port}`, () => resolve(true));
  });
  if (reservation.listening) {
    reservation.unref();
    setTimeout(() => reservation.close(), RESERVED_MS).unref();
  }
  return isOurs;
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Resolves when a server listens on the loopback port, at the address, or on the Unix socket. Rejects when `ended` is aborted first. */
export async function listening(address: number | string | HostPort, ended?: AbortSignal): Promise<void> {
  for (;;) {
    const socket = connectTo(address);
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await sleep(CHECK_MS, undefined, ended === undefined ? {} : { signal: ended });
  }
}

function connectTo(address: number | string | HostPort): Socket {
  if (typeof address === 'string') return connect(address);
  return typeof address === 'number' ? connect(address, '127.0.0.1') : connect(address.port, address.host);
}
