import { nodeErrorCode } from './code-of.js';

/**
 * What this process or this machine lacks (errno(3)): descriptors, memory, processes, local ports. An operation that
 * fails with one of these says nothing about the program at its other end.
 */
const OWN_LACKS: ReadonlySet<string | undefined> = new Set([
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'ENOMEM',
  'ENOBUFS',
  'EADDRNOTAVAIL',
]);

/** Whether an operation failed because of this process or machine: a check that fails so has not looked. */
export function isOwnLack(error: unknown): boolean {
  return OWN_LACKS.has(nodeErrorCode(error));
}
