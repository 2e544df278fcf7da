import { firstCaptureTime, unpackedFileBytes, type SourceFile } from '@ringdown/call-capture/files';
import { firstLogTime } from './read-log.js';

/**
 * Sorts files by the time of their first entry, so that a call that continues in the next file has begun before: shells
 * sort `x.1.log` before `x.log`. A file without a time stays after the one given before it.
 */
export async function sortByTime(files: readonly SourceFile[]): Promise<readonly SourceFile[]> {
  if (files.length < 2) return files;
  const timed: { readonly source: SourceFile; readonly at: number }[] = [];
  for (const source of files) {
    const begins = source.holds === 'capture' ? firstCaptureTime : firstLogTime;
    const before = timed.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    timed.push({ source, at: (await begins(unpackedFileBytes(source))) ?? before });
  }
  return timed.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ source }) => source);
}
