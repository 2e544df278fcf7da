import { Fault } from '@ringdown/web-server';

/** A bus that is away is no fault of the client nor of this program: 503, try again. */
export async function fromBus<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Fault('unavailable', {
      message: 'The message bus does not answer.',
      headers: { 'retry-after': '2' },
      cause,
    });
  }
}
