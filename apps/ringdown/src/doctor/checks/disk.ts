import { statfsSync } from 'node:fs';
import { errorReason } from '@ringdown/errors';
import { diskLines } from '../../host/disk-room.js';
import type { Check } from '../check.js';
import { ok, problem, warning, type Finding } from '../finding.js';
import { nearest } from './rights.js';

export interface DiskFacts {
  readonly dataDir: string;
  readonly freeBytes: number;
  /** What a start would print about the limits of the bus. */
  readonly lines: readonly string[];
  /** Why it would not start. */
  readonly refusal?: string;
}

const GB = 1_000_000_000;
/** Below it, a day of a small system may fill it. */
const FEW_GB = 2;

export function diskFindings({ dataDir, freeBytes, lines, refusal }: DiskFacts): readonly Finding[] {
  const free = `${(freeBytes / GB).toFixed(1)} GB are free where ${dataDir} is`;
  const remedy =
    'make room, set DATA_DIR to a larger disk, or RECORDS_MAX_BYTES to less (docs/guides/operating.md, "Sizing")';
  if (refusal !== undefined) return [problem(refusal, remedy)];
  const found = lines.map((line) => warning(line, remedy));
  if (found.length > 0) return found;
  return [freeBytes < FEW_GB * GB ? warning(`only ${free}`, remedy) : ok(free)];
}

export const DISK: Check = {
  name: 'disk',
  looksAt: 'less free room than the bus may use, or than 2 GB',
  examine: ({ dataDir, env, settings }) => {
    const folder = nearest(dataDir);
    const { bavail, bsize } = statfsSync(folder);
    const facts = { dataDir, freeBytes: bavail * bsize };
    if (settings.natsUrl !== undefined) return diskFindings({ ...facts, lines: [] });
    try {
      return diskFindings({ ...facts, lines: diskLines(`${folder}/nats`, env) });
    } catch (error) {
      return diskFindings({ ...facts, lines: [], refusal: errorReason(error) });
    }
  },
};
