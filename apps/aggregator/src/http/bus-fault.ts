import { Fault, InterfaceError } from '@ringdown/web-server/errors';

/** An unreachable bus is not an error of the client or of this program: 503, the client may retry. */
export async function fromBus<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof Fault || cause instanceof InterfaceError) throw cause;
    throw new Fault('unavailable', {
      message: 'The message bus does not respond.',
      headers: { 'retry-after': '2' },
      cause,
    });
  }
}
