import { endXml, errorXml, lossXml, qualityXml, startXml, type Example } from './records.js';

const PEOPLE = ['alice', 'bob', 'carol', 'dan', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy', 'mallory', 'niaj'];
const FRONT_ENDS = ['fe01.example.test', 'fe02.example.test', 'fe03.example.test'];
const CALLS = 90;
/** Packet loss rates; the third and the fifth are bad and poor by the thresholds. */
const LOSSES = [0.002, 0.004, 0.21, 0.001, 0.06, 0.003, 0.002];

/** Records of an hour of calls: most are over, some are bad, some failed, a few dozen are in progress. Deterministic. */
export function anHour(): readonly string[] {
  return Array.from({ length: CALLS }, (_, n) => callNumber(n)).flat();
}

function callNumber(n: number): readonly string[] {
  const began = 3_500 - n * 38;
  const call = (ago: number): Example => ({
    callId: `call-${String(n).padStart(3, '0')}@example.test`,
    from: PEOPLE[n % PEOPLE.length] ?? '',
    to: PEOPLE[(n * 5 + 3) % PEOPLE.length] ?? '',
    frontEnd: FRONT_ENDS[(n * 7) % FRONT_ENDS.length] ?? '',
    ago,
    conversation: `conversation-${Math.floor(n / 3)}`,
  });
  if (n % 17 === 11) return [errorXml(call(began))];
  const loss = LOSSES[n % LOSSES.length] ?? 0;
  const lasts = 120 + ((n * 97) % 1_400);
  if (lasts < began) {
    return [startXml(call(began)), endXml(call(began - lasts)), qualityXml(call(began - lasts - 5), loss)];
  }
  return n % 4 === 0 ? [startXml(call(began))] : [startXml(call(began)), lossXml(call(Math.floor(began / 2)), loss)];
}
