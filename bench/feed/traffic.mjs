/**
 * The feed of many concurrent calls, as posted by senders of version 1.0: each call has a start with both directions,
 * an end, and the reports of both parties. Ends follow starts at a distance, so that many calls are open at the same
 * time.
 */
export const RECORDS_A_CALL = 4;
const FRONT_ENDS = 4;
const PEOPLE = 5_000;
const CODECS = ['SIREN/16000', 'PCMU/8000', 'SILK/16000'];

/**
 * `{ number, callId, what, xml }` one after the other. `from`: number of the first call, so that another feed has different
 * calls; `begin`: when that call starts, milliseconds since 1970.
 */
export function* feed({ calls, openCalls = 2_000, from = 0, begin = Date.now() }) {
  for (let n = from; n < from + calls + openCalls; n++) {
    const startedAt = (number) => begin + (number - from) * 10;
    if (n < from + calls) yield recordOf(n, 'start', startedAt(n));
    const ending = n - openCalls;
    if (ending < from) continue;
    for (const what of ['ended', 'caller', 'callee']) yield recordOf(ending, what, startedAt(ending));
  }
}

/** Calls that start and do not end, the first of them with the number `from`. */
export function* starts({ calls, from = 0, begin = Date.now() }) {
  for (let n = from; n < from + calls; n++) yield recordOf(n, 'start', begin);
}

function recordOf(n, what, startedAt) {
  const callId = callIdOf(n);
  return { number: n, callId, what, xml: documentOf(n, what, startedAt, callId) };
}

const hex = (number) => number.toString(16).padStart(8, '0');

/** The Call-ID of the call with this number. */
export function callIdOf(n) {
  return `${hex((n * 2_654_435_761) >>> 0)}6d8be24b7c91d2a4${hex(n)}`;
}

function documentOf(n, what, startedAt, callId) {
  const [caller, callee] = [partyOf(n, 'a', n * 7), partyOf(n, 'b', n * 13 + 1)];
  const frontEnd = `fe${n % FRONT_ENDS}.example.test`;
  const endedAt = startedAt + 60_000 + (n % 600) * 1_000;
  const head = (at, more = '') =>
    `<FrontEnd>${frontEnd}</FrontEnd><CallId>${callId}</CallId>${more}<TimeStamp>${time(at)}</TimeStamp>`;
  const conversation = `<ConversationId>AdxK0Q3vYk5yQmZ2${n.toString(36)}</ConversationId>`;
  switch (what) {
    case 'start':
      return record(
        head(startedAt, `<CSEQ>2</CSEQ>${conversation}`),
        media(caller, callee, n) + media(callee, caller, n),
      );
    case 'ended':
      return record(head(endedAt, '<CSEQ>3</CSEQ>'), `<Ended>${end(caller)}${end(callee)}</Ended>`);
    case 'caller':
      return report(head(endedAt + 500), caller, callee, n, startedAt, endedAt);
    default:
      return report(head(endedAt + 700), callee, caller, n + 1, startedAt, endedAt);
  }
}

function partyOf(n, side, person) {
  const user = person % PEOPLE;
  const ip = `10.${user % 20}.${(user >> 3) % 250}.${1 + (user % 250)}`;
  return { id: `${side}${n.toString(16)}`, epId: `e${user.toString(16)}`, uri: `sip:user${user}@example.test`, ip };
}

function record(head, body, attributes = '') {
  return `<Diagnostics Version="1.0"><ConnectionInfo${attributes}>${head}</ConnectionInfo>${body}</Diagnostics>`;
}

function media(from, to, n) {
  const codecs = CODECS.map((_, i) => CODECS[(n + i) % CODECS.length]).map(
    (codec) => `<EstimatedBandwidth Codec="${codec}"><Low>52600</Low><High>97000</High></EstimatedBandwidth>`,
  );
  return `<StartOrUpdate Type="audio"><From>${side(from, 50_012)}</From><To>${side(to, 50_034)}</To><Properties>
<Protocol>UDP</Protocol>${codecs.join('')}</Properties></StartOrUpdate>`;
}

function side({ id, epId, uri, ip }, port) {
  return `<Id>${id}</Id><EPId>${epId}</EPId><URI>${uri}</URI><IP>${ip}</IP><Port>${port}</Port>`;
}

function end({ id, epId, uri }) {
  return `<EndPoint><Id>${id}</Id><EPId>${epId}</EPId><URI>${uri}</URI></EndPoint>`;
}

function report(head, from, to, n, startedAt, endedAt) {
  const loss = n % 10 === 0 ? 0.08 : 0.001 * (n % 7);
  const times = `<Connectivity>DIRECT</Connectivity><StartTime>${time(startedAt)}</StartTime><EndTime>${time(endedAt)}</EndTime>`;
  const metrics = `<PacketUtilization>8123</PacketUtilization><PacketLossRate Limit="0.1">${loss}</PacketLossRate>
<JitterInterArrival Limit="25">${4 + (n % 30)}</JitterInterArrival><RoundTrip Limit="500">${20 + (n % 300)}</RoundTrip>
<DegradationAvg Limit="1">${(n % 12) / 10}</DegradationAvg><RatioConcealedSamplesAvg>0.01</RatioConcealedSamplesAvg>`;
  const body = `<QualityUpdate Type="audio"><From>${side(from, 50_012)}</From><To>${side(to, 50_034)}</To><Properties>
<EstimatedBandwidth Codec="${CODECS[n % CODECS.length]}"/>${metrics}</Properties></QualityUpdate>`;
  return record(head + times, body, ` Originator="${from.epId}"`);
}

function time(millis) {
  return new Date(millis).toISOString().replace('Z', '4567Z');
}
