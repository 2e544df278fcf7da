import type { Dice } from '../demo/dice.js';
import type { Script, ScriptedRecord } from '../demo/script.js';

/** Shares of the records, 0 to 1. */
export interface Disturbance {
  /** Never sent. */
  readonly loss: number;
  /** Sent twice. */
  readonly duplicates: number;
  /** Sent after records whose turn is later. */
  readonly reordered: number;
}

/** How far behind its turn a reordered record comes, as a share of the whole script. */
const LONGEST_DELAY = 0.05;

export interface DisturbedScript extends Script {
  /** Those that are never sent. */
  readonly withheld: readonly ScriptedRecord[];
}

/** The script as a bad network would play it. */
export function disturb(script: Script, { loss, duplicates, reordered }: Disturbance, dice: Dice): DisturbedScript {
  const withheld: ScriptedRecord[] = [];
  const length = (script.records.at(-1)?.at ?? script.startsAt) - script.startsAt;
  const records = script.records.flatMap((scripted): ScriptedRecord[] => {
    if (dice.fraction() < loss) {
      withheld.push(scripted);
      return [];
    }
    const at = dice.fraction() < reordered ? scripted.at + dice.between(0, length * LONGEST_DELAY) : scripted.at;
    const turn = { ...scripted, at };
    return dice.fraction() < duplicates ? [turn, turn] : [turn];
  });
  return { ...script, records: records.sort((a, b) => a.at - b.at), withheld };
}
