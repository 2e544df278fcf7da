import { codeOf, reasonOf } from '@ringdown/errors';

/** Why nobody can listen there, in the words of an operator, who is to mend it. */
export function listenReason(error: unknown, port: number, host: string): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use by another program`;
  if (code === 'EACCES') return `port ${port} on ${host} may not be opened by this user`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine`;
  return `cannot listen on ${host}:${port}: ${reasonOf(error)}`;
}
