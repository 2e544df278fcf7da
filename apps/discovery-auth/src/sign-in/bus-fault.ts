import { Fault, InterfaceError } from '@ringdown/web-server/errors';

/** An unreachable bus is not an error of the client or of this program: 503, the client may retry. */
export async function fromBus<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof Fault || cause instanceof InterfaceError) throw cause;
    const headers = { 'retry-after': '2' };
    throw new Fault('unavailable', { message: 'The message bus does not respond.', headers, cause });
  }
}
