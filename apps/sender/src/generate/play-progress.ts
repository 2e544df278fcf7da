import type { ScriptedRecord } from '@ringdown/generated-calls';
import type { Script } from './script.js';

/** Notified while a script is played. */
export interface PlayProgress {
  started(script: Script): void;
  sent(scripted: ScriptedRecord): void;
  ended(): void;
}

export const noProgress: PlayProgress = {
  started: () => undefined,
  sent: () => undefined,
  ended: () => undefined,
};
