import type { ScriptedRecord, SeededRandom } from '@ringdown/generated-calls';
import type { Script } from './script.js';

/** Shares of the records, 0 to 1. */
export interface Disturbance {
  /** Never sent. */
  readonly loss: number;
  /** Sent twice. */
  readonly duplicates: number;
  /** Sent after records that were scheduled later. */
  readonly reordered: number;
}

/** Longest delay of a reordered record, as a share of the whole script. */
const LONGEST_DELAY = 0.05;

export interface DisturbedScript extends Script {
  /** Records that are never sent. */
  readonly withheld: readonly ScriptedRecord[];
}

/** The script as a bad network would deliver it. */
export function disturb(
  script: Script,
  { loss, duplicates, reordered }: Disturbance,
  random: SeededRandom,
): DisturbedScript {
  const withheld: ScriptedRecord[] = [];
  const length = (script.records.at(-1)?.at ?? script.startsAt) - script.startsAt;
  const records = script.records.flatMap((scripted): ScriptedRecord[] => {
    if (random.fraction() < loss) {
      withheld.push(scripted);
      return [];
    }
    const at = random.fraction() < reordered ? scripted.at + random.between(0, length * LONGEST_DELAY) : scripted.at;
    const sent = { ...scripted, at };
    return random.fraction() < duplicates ? [sent, sent] : [sent];
  });
  return { ...script, records: records.sort((a, b) => a.at - b.at), withheld };
}
