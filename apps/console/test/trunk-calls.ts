/** A call over a trunk, as version D reports it. */
export interface TrunkCall {
  readonly callId: string;
  readonly trunk?: string;
  readonly from?: string;
  readonly frontEnd?: string;
  /** How long ago it began, in seconds. */
  readonly ago: number;
  /** In seconds; it goes on without. */
  readonly lasts?: number;
  /** Address of the caller. */
  readonly ip?: string;
}

/** All records of the call: both directions of audio, and its end. */
export function trunkCallXml(call: TrunkCall): readonly string[] {
  const [a, b] = [caller(call), callee(call)];
  const started = [
    [a, b],
    [b, a],
  ].map(
    ([from, to]) => `<Start Type="audio"><From>${from}</From><To>${to}</To><Properties>
      <Codec Name="G711/8000"><Bandwidth>80000</Bandwidth><MaxBandwidth>100000</MaxBandwidth></Codec></Properties></Start>`,
  );
  const ended = `<Bye><EndPoint>${a}</EndPoint><EndPoint>${b}</EndPoint></Bye>`;
  const { lasts } = call;
  return [record(call, 0, started.join('')), ...(lasts === undefined ? [] : [record(call, lasts, ended)])];
}

/** A call that a gateway refused with 503. */
export function refusedCallXml(call: TrunkCall, diagnostics: string): readonly string[] {
  const [a, b] = [caller(call), callee(call)];
  const refused = `<Error><EndPoint>${a}</EndPoint><EndPoint>${b}</EndPoint><Properties><ResponseCode Code="503">Service Unavailable</ResponseCode>
    <VendorDiagnostics>${diagnostics}</VendorDiagnostics></Properties></Error>`;
  return [record(call, 0, `<Invite><Caller>${a}</Caller><Callee>${b}</Callee></Invite>`), record(call, 2, refused)];
}

function caller({ from = 'anna', ip = '10.1.0.10' }: TrunkCall): string {
  return `<Id>${from}1</Id><URI>sip:${from}@example.test</URI><IP>${ip}</IP><Port>50000</Port>`;
}

function callee({ trunk }: TrunkCall): string {
  const over = trunk === undefined ? '' : `<Trunk>${trunk}</Trunk>`;
  return `<Id>gateway1</Id><URI>sip:ben@example.test</URI><IP>192.0.2.20</IP><Port>50100</Port>${over}`;
}

function record({ callId, ago, frontEnd = 'fe1.example.test' }: TrunkCall, after: number, body: string): string {
  const at = new Date(Date.now() + (after - ago) * 1_000).toISOString();
  return `<Diagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><TimeStamp>${at}</TimeStamp>
    <FrontEnds>${frontEnd}</FrontEnds><Pools>pool1.example.test</Pools></ConnectionInfo>${body}</Diagnostics>`;
}
