import { readFileSync } from 'node:fs';

const KEEP_ALIVE_TIMER = '02';
const TICKS_A_SECOND = 100;

/**
 * In how many seconds the system sends the next keep-alive probe on the connection from this machine to a
 * port. Undefined while another timer of the connection is active, or without a connection. Linux only (proc(5)).
 */
export function secondsToKeepAlive(port: number): number | undefined {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFileSync(file, 'utf8'));
  for (const line of tables.join('\n').split('\n')) {
    const [, , remoteAddress = '', , , timer = ''] = line.trim().split(/\s+/);
    const [kind, ticks = ''] = timer.split(':');
    if (remoteAddress.endsWith(remote) && kind === KEEP_ALIVE_TIMER) return Number.parseInt(ticks, 16) / TICKS_A_SECOND;
  }
  return undefined;
}
