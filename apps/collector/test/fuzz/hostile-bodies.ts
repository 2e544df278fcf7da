import { Dice } from '@ringdown/testing/fuzz/dice';

const CONNECTION =
  '<ConnectionInfo><FrontEnd>fe1</FrontEnd><CallId>fuzz-1</CallId><CSEQ>2</CSEQ>' +
  '<TimeStamp>2026-03-04T09:15:27.1234567Z</TimeStamp></ConnectionInfo>';
const ENDPOINT = '<Id>a1</Id><EPId>5e1f</EPId><URI>sip:alice@example.test</URI><IP>192.0.2.1</IP><Port>50000</Port>';

/** One complete body of every kind, to be damaged and mixed below. */
const SAMPLES = [
  `<Diagnostics Version="1.0">${CONNECTION}<StartOrUpdate Type="audio"><From>${ENDPOINT}</From><To>${ENDPOINT}</To>` +
    '<Properties><Protocol>UDP</Protocol><EstimatedBandwidth Codec="SIREN/16000"><Low>52600</Low><High>68600</High>' +
    '</EstimatedBandwidth></Properties></StartOrUpdate></Diagnostics>',
  `<Diagnostics Version="1.0">${CONNECTION}<Ended><EndPoint>${ENDPOINT}</EndPoint></Ended></Diagnostics>`,
  `<Diagnostics Version="1.0">${CONNECTION}<Error><EndPoint>${ENDPOINT}</EndPoint><Properties><ResponseCode Code="403">` +
    'Forbidden</ResponseCode><VendorDiagnostics>2;reason="See";source="fe1"</VendorDiagnostics></Properties></Error></Diagnostics>',
  `<Diagnostics Version="D">${CONNECTION}<QualityUpdate Type="video"><From>${ENDPOINT}</From><To>${ENDPOINT}</To>` +
    '<Properties><StreamQuality>Bad</StreamQuality><PacketLossRate Limit="0.1">4.2E-005</PacketLossRate>' +
    '<RecvFrameRateAverage>14.2</RecvFrameRateAverage></Properties></QualityUpdate></Diagnostics>',
  `<?xml version="1.0" encoding="utf-8"?>\n<Diagnostics Version="D">${CONNECTION}<Start Type="audio"><From>${ENDPOINT}</From>` +
    '<Properties><Bandwidth Multiplexed="2"><Average>1</Average><Maximum>2</Maximum></Bandwidth><Codec Name="SILK/16000" ' +
    `PayLoadType="104"/></Properties></Start><Bye/><RawSDP><![CDATA[v=0\r\no=- 1]]></RawSDP></Diagnostics>`,
  '<GetConfiguration Version="1.0"><Pool>p</Pool><FrontEnd>fe1</FrontEnd><CurrentVersion>3</CurrentVersion></GetConfiguration>',
] as const;

const NAMES = (
  'Diagnostics ConnectionInfo CallId FrontEnd FrontEnds Pools Start Update Invite Bye Ended Error QualityUpdate ' +
  'InCallQuality From To EndPoint Properties Codec Route Hop GetConfiguration RawSDP URI IP Port ' +
  '__proto__ constructor x:Ended xmlns é _ a-b.c'
).split(' ');
const NUMBERS = '0 -1 1e400 4.210172E-005 NaN 65536 99999999999999999999 True sip: a,b,,c'.split(' ');
const ESCAPES = '&lt; &amp; &#x41; &#0; &#xD800; &x; ]]> < > & " \u{1f600} \ufffe \0 \u0085'.split(' ');
const TEXTS = ['', ' ', '\t\n', ...NUMBERS, ...ESCAPES];
const SIGNS = '< > / " \' = <! <!-- --> -- <![CDATA[ ]]> <? ?> </ &a; &# ; \ufeff <a> </Diagnostics>'.split(' ');
const MARKUP = [...SIGNS, '<?xml version="1.1"?>', '<!DOCTYPE a [', '<!ENTITY a "b">', 'xmlns:a="b"', ' Type="x"'];
const DOCTYPES = ['<!DOCTYPE a>', '<!DOCTYPE a [<!ENTITY b "c">]>', '<!DOCTYPE a SYSTEM "x">'];
const REPEATED = ['<a/>', '<a>', '<Ended/>', '&amp;', ' '];
const ATTRIBUTES = ['Type', 'Code', 'Limit', 'Name', 'xmlns', 'x:Type', '__proto__', 'Version'];

/** The body of this number; the same for the same seed. */
export function hostileBody(seed: number, index: number): Buffer {
  const dice = new Dice(Math.imul(seed, 0x9e3779b1) ^ index);
  const kind = dice.below(100);
  if (kind < 60) return mutated(Buffer.from(dice.of(SAMPLES)), dice);
  if (kind < 90) return Buffer.from(generated(dice));
  if (kind < 97) return mutated(Buffer.from(generated(dice)), dice);
  return Buffer.from(Array.from({ length: dice.below(300) }, () => dice.below(256)));
}

function mutated(sample: Buffer, dice: Dice): Buffer {
  let body = sample;
  for (let times = 1 + dice.below(4); times > 0; times--) body = dice.of(MUTATIONS)(body, dice);
  return body;
}

type Mutation = (body: Buffer, dice: Dice) => Buffer;

/** Each changes a body in one way. */
const MUTATIONS: readonly Mutation[] = [
  (body, dice) => spliced(body, dice.below(body.length + 1), dice.below(30), Buffer.alloc(0)),
  (body, dice) => spliced(body, dice.below(body.length + 1), dice.below(3), Buffer.from(dice.of(MARKUP))),
  (body, dice) => spliced(body, dice.below(body.length + 1), 0, Buffer.from(dice.of(TEXTS))),
  (body, dice) => spliced(body, dice.below(body.length + 1), 1, Buffer.of(dice.below(256))),
  (body, dice) => body.subarray(0, dice.below(body.length + 1)),
  (body, dice) => {
    const at = dice.below(body.length + 1);
    const piece = body.subarray(at, at + dice.below(200));
    return spliced(body, dice.below(body.length + 1), 0, piece);
  },
  (body, dice) => {
    const other = Buffer.from(dice.of(SAMPLES));
    return Buffer.concat([body.subarray(0, dice.below(body.length + 1)), other.subarray(dice.below(other.length))]);
  },
  (body, dice) => Buffer.from(body.toString('latin1').replaceAll(dice.of(NAMES), dice.of(NAMES)), 'utf8'),
  (body, dice) =>
    Buffer.from(
      body.toString('latin1').replace(/>[^<>]+</, () => `>${dice.of(TEXTS)}<`),
      'utf8',
    ),
  (body, dice) => (dice.onceIn(50) ? Buffer.concat(Array.from({ length: 2 + dice.below(30) }, () => body)) : body),
  (body, dice) => (dice.onceIn(50) ? Buffer.from(body.toString('latin1'), 'utf16le') : body),
  (body, dice) => (dice.onceIn(20) ? Buffer.concat([Buffer.from(dice.of(DOCTYPES)), body]) : body),
  // A value far too long, or a whole element repeated far too often or nested far too deep.
  (body, dice) =>
    dice.onceIn(20) ? Buffer.from(body.toString('latin1').replace(/>(fuzz-1|fe1)</, `>${'x'.repeat(600)}<`)) : body,
  (body, dice) =>
    dice.onceIn(40) ? Buffer.from(body.toString('latin1').replace('><', `>${dice.of(REPEATED).repeat(2_100)}<`)) : body,
];

function spliced(body: Buffer, at: number, remove: number, insert: Buffer): Buffer {
  return Buffer.concat([body.subarray(0, at), insert, body.subarray(at + remove)]);
}

/** Mostly well-formed, with names, attributes and texts of the feed in places where they never occur. */
function generated(dice: Dice): string {
  const root = dice.onceIn(8) ? dice.of(NAMES) : 'Diagnostics';
  const inside = Array.from({ length: dice.below(6) }, () => element(dice, 1)).join('');
  return `<${root}${attributes(dice)}>${dice.onceIn(4) ? '' : CONNECTION}${inside}</${root}>`;
}

function element(dice: Dice, depth: number): string {
  const name = dice.of(NAMES);
  const count = depth > 6 || dice.onceIn(3) ? 0 : dice.below(4);
  const children = Array.from({ length: count }, () => element(dice, depth + 1)).join('');
  if (children === '' && dice.onceIn(4)) return `<${name}${attributes(dice)}/>`;
  return `<${name}${attributes(dice)}>${dice.onceIn(2) ? '' : safeText(dice)}${children}</${name}>`;
}

function attributes(dice: Dice): string {
  if (!dice.onceIn(4)) return '';
  return Array.from(
    { length: dice.onceIn(60) ? 40 : 1 },
    (_, i) => ` ${dice.of(ATTRIBUTES)}${i || ''}="${safeText(dice)}"`,
  ).join('');
}

/** A text that is allowed nearly everywhere. */
function safeText(dice: Dice): string {
  const text = dice.of(TEXTS);
  return dice.onceIn(30) ? text : text.replaceAll(/[<>"\0\ufffe]|&(?!lt;|amp;|#x41;)/g, '');
}
