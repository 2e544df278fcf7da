import type { Dice } from '@ringdown/testing/fuzz/dice';
import { fuzzedReader, type FuzzedReader } from '@ringdown/testing/fuzz/fuzzed-reader';
import { pumpString } from '@ringdown/testing/fuzz/pumps';
import { compareDescriptions, describedMedia } from '../../src/ladder/session-description.js';
import { sipMessageLabel, readSipMessage } from '../../src/ladder/sip-message.js';

/** The longest message that the collector accepts. */
const MESSAGE_LIMIT = 65_000;
const LINES = ['m=audio ', 'a=rtpmap:', 'c=', 'a=', ' ', 'CSeq: ', 'Content-Type: '];

function text(dice: Dice): string {
  const lines = Array.from({ length: 1 + dice.below(6) }, () => dice.of(LINES) + pumpString(dice, MESSAGE_LIMIT / 6));
  return dice.onceIn(4) ? pumpString(dice, MESSAGE_LIMIT) : lines.join(dice.of(['\n', '\r\n', '\n\n']));
}

/** For `npm run fuzz:pumps`. */
export const readers: readonly FuzzedReader[] = [
  fuzzedReader('console: SIP messages', text, (input) => sipMessageLabel(readSipMessage(input))),
  fuzzedReader('console: session descriptions', text, describedMedia),
  fuzzedReader(
    'console: compared descriptions',
    (dice) => [text(dice), text(dice)] as const,
    ([before, after]) => compareDescriptions(before, after),
  ),
];
