import {
  identifySource,
  requireCapture,
  SourceError,
  type FileProblems,
  type SourceFile,
} from '@ringdown/call-capture/files';
import type { ReplayOptions } from './replay-options.js';
import { sortByTime } from './sort-by-time.js';
import { openStandardInput, STANDARD_INPUT } from './standard-input.js';

/** The files that can be read, in the order of their times. Problems with the others are added to `problems`. */
export async function readableFiles(
  { files, signal, capturesOnly }: Pick<ReplayOptions, 'files' | 'signal' | 'capturesOnly'>,
  problems: FileProblems,
): Promise<readonly SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of files) {
    try {
      const source = await (file === STANDARD_INPUT ? openStandardInput(signal) : identifySource(file));
      found.push(capturesOnly ? requireCapture(source) : source);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      problems.addEmpty(file, error.message);
    }
  }
  return sortByTime(found);
}
