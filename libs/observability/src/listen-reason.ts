import { nodeErrorCode, errorReason } from '@ringdown/errors';

/** The reason why a port cannot be opened, in terms that an operator knows. */
export function listenReason(error: unknown, port: number, host: string): string {
  const code = nodeErrorCode(error);
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use by another program`;
  if (code === 'EACCES') return `port ${port} on ${host} cannot be opened by this user: permission denied`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine`;
  return `cannot listen on ${host}:${port}: ${errorReason(error)}`;
}
