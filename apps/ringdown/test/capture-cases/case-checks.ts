/** A value that is expected: a number, a text (`a|b`, `~x`, `!~x`, `none`), a range, or a range in which `none` is right, too. */
type Expected = number | string | boolean | readonly (number | string)[];

/** What must hold for each call whose id contains `call`. */
interface CallCheck {
  readonly call: string;
  readonly toward?: Readonly<Record<string, Readonly<Record<string, Expected>>>>;
  readonly notHeld?: boolean;
  readonly [property: string]: unknown;
}

type OtherCheck =
  | { readonly calls: number }
  | { readonly onlyYear: number }
  | { readonly named: string }
  | { readonly failedRegistrations: number }
  | { readonly either: readonly (readonly Check[])[] };

export type Check = CallCheck | OtherCheck;

interface Place {
  readonly uri: string;
  readonly ip?: string;
  readonly port?: number;
}

interface Flow {
  readonly mediaType: string;
  readonly from: Place;
  readonly to: Place;
  readonly verdict: string;
  readonly codecs: readonly { readonly name: string }[];
}

interface Texts {
  readonly [property: string]: unknown;
}

/** What the checks look at in `GET /api/calls/{callId}`. */
export interface CaseCall {
  readonly callId: string;
  readonly state: string;
  readonly verdict: string;
  readonly audio: Texts | null;
  readonly duration: { readonly seconds: number } | null;
  readonly end: ({ readonly by: string | null; readonly code: number | null } & Texts) | null;
  readonly errors: readonly Texts[];
  readonly streams: readonly (Flow & { readonly bandwidth?: { readonly average?: number } })[];
  readonly quality: readonly (Flow & {
    readonly final: boolean;
    readonly metrics: Readonly<Record<string, { readonly value: number }>>;
  })[];
  readonly records: readonly unknown[];
  /** `GET /api/calls/{callId}/timeline` */
  readonly timeline: readonly { readonly after: { readonly state: string } }[];
}

/** What a case has led to. */
export interface CaseResult {
  readonly calls: readonly CaseCall[];
  /** What `ringdown-sender replay --json` prints. */
  readonly summary: Readonly<Record<string, unknown>> & {
    readonly failedRequests: readonly { readonly method: string; readonly count: number }[];
  };
}

/** What does not hold, each in a line; empty when the result is right. */
export function wrongIn(result: CaseResult, checks: readonly Check[]): readonly string[] {
  return checks.flatMap((check) => wrongBy(result, check));
}

function wrongBy(result: CaseResult, check: Check): readonly string[] {
  if (isCallCheck(check)) return wrongOfCalls(result.calls, check);
  if ('calls' in check) return differs('calls', result.calls.length, check.calls);
  if ('onlyYear' in check) return wrongYears(result.calls, check.onlyYear);
  if ('named' in check) return differs('reasons of the summary', nestedText(result.summary), `~${check.named}`);
  if ('failedRegistrations' in check)
    return differs('failed registrations', failedRegistrations(result), check.failedRegistrations);
  const wrong = check.either.map((checks) => wrongIn(result, checks));
  return wrong.some(({ length }) => length === 0) ? [] : wrong.flat();
}

function isCallCheck(check: Check): check is CallCheck {
  return 'call' in check;
}

function failedRegistrations({ summary }: CaseResult): number {
  const failed = summary.failedRequests.filter(({ method }) => method === 'REGISTER');
  return failed.reduce((sum, { count }) => sum + count, 0);
}

/** Times of receipt are those of the machine that runs the test. */
function wrongYears(calls: readonly CaseCall[], year: number): readonly string[] {
  const text = JSON.stringify(calls, (key, value: unknown) => (/receivedat|settlesat|^xml$/i.test(key) ? '' : value));
  const years = [...text.matchAll(/"(\d{4})-\d\d-\d\dT/g)].map(([, found]) => Number(found));
  return years.filter((found) => found !== year).map((found) => `a time of ${found}`);
}

function wrongOfCalls(calls: readonly CaseCall[], check: CallCheck): readonly string[] {
  const { call: part, toward = {}, notHeld, ...properties } = check;
  const found = calls.filter(({ callId }) => callId.includes(part));
  if (found.length === 0) return [`no call ${part}`];
  return found.flatMap((call) => [
    ...Object.entries(properties).flatMap(([name, expected]) =>
      differs(`${call.callId} ${name}`, propertyOf(call, name), expected),
    ),
    ...Object.entries(toward).flatMap(([user, values]) => wrongToward(call, user, values)),
    ...(notHeld ? wrongAsHeld(call) : []),
  ]);
}

function propertyOf(call: CaseCall, name: string): unknown {
  switch (name) {
    case 'state':
    case 'verdict':
    case 'audio':
      return call[name];
    case 'durationSeconds':
      return call.duration?.seconds;
    case 'endedBy':
      return call.end?.by;
    case 'endCode':
      return call.end?.code;
    case 'endText':
      return nestedText([call.end, call.errors]);
    default:
      throw new Error(`a check of ${name} is not known`);
  }
}

function wrongToward(call: CaseCall, user: string, expected: Readonly<Record<string, Expected>>): readonly string[] {
  const goesTo = ({ to, mediaType }: Flow): boolean => mediaType === 'audio' && to.uri.startsWith(`sip:${user}@`);
  const streams = call.streams.filter(goesTo);
  const reports = call.quality.filter((report) => report.final && goesTo(report));
  if (streams.length + reports.length === 0) return [`${call.callId} has no audio toward ${user}`];
  const valuesOf = (name: string): readonly unknown[] => {
    if (name === 'from' || name === 'to') return streams.map((stream) => placeAddress(stream[name]));
    if (name === 'codec') return streams.map(({ codecs }) => codecs[0]?.name);
    if (name === 'verdict') return streams.map(({ verdict }) => verdict);
    return reports.length === 0 ? [undefined] : reports.map(({ metrics }) => metrics[name]?.value);
  };
  return Object.entries(expected).flatMap(([name, wanted]) =>
    valuesOf(name).flatMap((value) => differs(`${call.callId} toward ${user}: ${name}`, value, wanted)),
  );
}

function placeAddress({ ip, port }: Place): string {
  return `${ip ?? ''}:${port ?? ''}`;
}

/** Streams in both directions, none of them held at any time. */
function wrongAsHeld(call: CaseCall): readonly string[] {
  return [
    ...differs(`${call.callId} streams`, call.streams.length, 2),
    ...call.streams.flatMap(({ bandwidth }) =>
      differs(`${call.callId} bandwidth`, bandwidth?.average, [1, Number.MAX_SAFE_INTEGER]),
    ),
    ...call.timeline.flatMap(({ after }) => differs(`${call.callId} timeline`, after.state, '!~^held$')),
  ];
}

function nestedText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${name} ${nestedText(part)}`)
    .join(' ');
}

function differs(what: string, found: unknown, expected: unknown): readonly string[] {
  return matches(found, expected) ? [] : [`${what}: ${String(found)} instead of ${JSON.stringify(expected)}`];
}

function matches(found: unknown, expected: unknown): boolean {
  const isMissing = found === undefined || found === null;
  if (Array.isArray(expected)) {
    if (isMissing) return expected.includes('none');
    const [low, high] = expected;
    return typeof found === 'number' && found >= Number(low) && found <= Number(high);
  }
  if (typeof expected !== 'string') return found === expected;
  const text = isMissing ? undefined : nestedText(found);
  if (expected.startsWith('!~')) return text === undefined || !new RegExp(expected.slice(2)).test(text);
  if (expected.startsWith('~')) return text !== undefined && new RegExp(expected.slice(1)).test(text);
  return expected.split('|').includes(text ?? 'none');
}
