import { isCapture } from '@ringdown/capture';
import { streamChunks, describeInput, SourceError, type SourceFile } from '@ringdown/call-capture/files';

/** How standard input is named among files. */
export const STANDARD_INPUT = '-';
/** The mark at the beginning of a capture. */
const MARK_LENGTH = 4;

/**
 * What another program captures while it runs: `tcpdump -w -`. Reads only as much as shows that it is a capture. Throws
 * {@link SourceError} if it is not.
 */
export async function openStandardInput(signal: AbortSignal): Promise<SourceFile> {
  // Otherwise the program would wait for the next packet.
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  const chunks = streamChunks(process.stdin);
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < MARK_LENGTH) {
    const next = await chunks.next();
    if (next.done === true) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  if (beginning.length === 0) throw new SourceError('there is no input');
  if (!isCapture(beginning)) {
    throw new SourceError(`the input is ${describeInput(beginning)}, and not a packet capture (pcap, pcapng)`);
  }
  return {
    file: STANDARD_INPUT,
    holds: 'capture',
    compression: 'none',
    size: 0,
    input: continued(beginning, chunks),
  };
}

async function* continued(beginning: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield beginning;
  yield* rest;
}
