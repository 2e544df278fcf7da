import { endXml, qualityXml, startXml, type End, type Example } from './records.js';

/** For `SITES_FILE`. */
export const SITES = {
  Oslo: ['10.1.0.0/24'],
  Bergen: ['10.2.0.0/24'],
  Lisbon: ['10.3.0.0/24'],
  Porto: ['10.4.0.0/24'],
  Trieste: ['10.5.0.0/24'],
};

const NETS = ['10.1.0', '10.2.0', '10.3.0', '10.4.0', '10.5.0', '172.16.8'];
const DEVICES = ['DeskPhone/4.2', 'Softphone/16.0', 'RoomSystem/2.1', 'MobileApp/9.3'];
const CODECS = ['SIREN/16000', 'SILK/16000', 'PCMU/8000'];
const PEOPLE = ['alice', 'bob', 'carol', 'dan', 'erin', 'frank', 'grace', 'heidi'];
const FRONT_ENDS = ['fe01.example.test', 'fe02.example.test', 'fe03.example.test'];
const CALLS = 520;
const SECONDS = 86_000;

/** Records of a day of ended calls, fewer at night; the line to Lisbon is bad in the afternoon. Deterministic. */
export function aDay(): readonly string[] {
  return Array.from({ length: CALLS }, (_, n) => callNumber(n)).flat();
}

function callNumber(n: number): readonly string[] {
  // Spread by a step that is independent of the others.
  const share = (n * 0.618_034) % 1;
  const ago = Math.round(3_800 + (share + 0.11 * Math.sin(share * 6.283)) * (SECONDS - 4_000));
  const [a, b] = [n % NETS.length, (n * 5 + 2) % NETS.length];
  const isLisbon = a === 2 || b === 2;
  const isAfternoon = ago > 14_000 && ago < 34_000;
  const loss = isLisbon && isAfternoon ? 0.04 * (n % 7) : n % 41 === 7 ? 0.18 : 0.001 * (n % 9);
  const example = (before: number): Example => ({
    callId: `day-${n}@example.test`,
    from: PEOPLE[n % PEOPLE.length] ?? '',
    to: PEOPLE[(n * 3 + 1) % PEOPLE.length] ?? '',
    frontEnd: FRONT_ENDS[(n * 7) % FRONT_ENDS.length] ?? '',
    ago: before,
    conversation: `day-${n}`,
    codec: CODECS[(n * 11) % CODECS.length] ?? '',
    ends: [endAt(a, n), endAt(b, n + 3)],
    jitter: 4 + (n % 11) + (isLisbon ? 9 : 0),
    roundTrip: 20 + ((n * 13) % 40) + (isLisbon ? 110 + (n % 90) : 0),
  });
  const lasts = 60 + ((n * 97) % 1_200);
  return [startXml(example(ago)), endXml(example(ago - lasts)), qualityXml(example(ago - lasts - 2), loss)];
}

function endAt(net: number, n: number): End {
  return { ip: `${NETS[net]}.${10 + (n % 40)}`, userAgent: DEVICES[n % DEVICES.length] ?? '' };
}
