/** Records of calls as front ends post them; a current call between two given users. */
export interface Example {
  readonly callId: string;
  readonly from?: string;
  readonly to?: string;
  readonly frontEnd?: string;
  /** How long ago it was sent, in seconds. */
  readonly ago?: number;
  readonly conversation?: string;
  /** Addresses and devices of both ends; unknown if left out. */
  readonly ends?: readonly [End, End];
  readonly codec?: string;
  /** In milliseconds. */
  readonly roundTrip?: number;
  readonly jitter?: number;
  /** Of the sender; without it, no report has one. */
  readonly mos?: number;
}

export interface End {
  readonly ip: string;
  readonly userAgent?: string;
}

export function startXml(example: Example): string {
  const [a, b] = exampleSides(example);
  return record(example, direction(a, b, example) + direction(b, a, example));
}

/** Average metrics of a call in progress, with this loss (0 to 1). */
export function lossXml(example: Example, loss: number): string {
  return record(example, quality('InCallQuality', example, loss));
}

/** The final report. */
export function qualityXml(example: Example, loss: number): string {
  return record(example, quality('QualityUpdate', example, loss));
}

export function endXml(example: Example): string {
  const ends = exampleSides(example).map((side) => `<EndPoint>${side}</EndPoint>`);
  return record(example, `<Ended>${ends.join('')}</Ended>`);
}

export function errorXml(example: Example): string {
  const ends = exampleSides(example).map((side) => `<EndPoint>${side}</EndPoint>`);
  return record(
    example,
    `<Error>${ends.join('')}<Properties><ResponseCode Code="486">Busy Here</ResponseCode>
     <VendorDiagnostics>10000;reason=the callee is in another call;source=fe1.example.test</VendorDiagnostics>
     </Properties></Error>`,
  );
}

function quality(element: string, example: Example, loss: number): string {
  const [from, to] = exampleSides(example);
  const { jitter = 12, roundTrip = 48, mos } = example;
  const score = mos === undefined ? '' : `<OverallAvgNetworkMOS>${mos}</OverallAvgNetworkMOS>`;
  return `<${element} Type="audio"><From>${from}</From><To>${to}</To><Properties>
    <PacketLossRate Limit="0.1">${loss}</PacketLossRate><JitterInterArrival Limit="30">${jitter}</JitterInterArrival>
    <RoundTrip Limit="500">${roundTrip}</RoundTrip><PacketUtilization>25000</PacketUtilization>${score}</Properties></${element}>`;
}

const USUAL_ENDS: readonly [End, End] = [{ ip: '10.1.0.10' }, { ip: '10.2.0.20' }];

function exampleSides({ from = 'anna', to = 'ben', ends: [a, b] = USUAL_ENDS }: Example): readonly [string, string] {
  return [side(from, a), side(to, b)];
}

function side(name: string, { ip, userAgent }: End): string {
  const agent = userAgent === undefined ? '' : `<UserAgent>${userAgent}</UserAgent>`;
  return `<Id>${name}1</Id><EPId>${name}2</EPId><URI>sip:${name}@example.test</URI>${agent}<IP>${ip}</IP><Port>50000</Port>`;
}

function direction(from: string, to: string, { codec = 'SIREN/16000' }: Example): string {
  return `<StartOrUpdate Type="audio"><From>${from}</From><To>${to}</To><Properties><Protocol>UDP</Protocol>
    <EstimatedBandwidth Codec="${codec}"><Low>52600</Low><High>68600</High></EstimatedBandwidth></Properties></StartOrUpdate>`;
}

function record({ callId, frontEnd = 'fe1.example.test', ago = 0, conversation }: Example, body: string): string {
  const at = new Date(Date.now() - ago * 1000).toISOString();
  const linked = conversation === undefined ? '' : `<ConversationId>${conversation}</ConversationId>`;
  return `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>${frontEnd}</FrontEnd><CallId>${callId}</CallId>${linked}
    <TimeStamp>${at}</TimeStamp></ConnectionInfo>${body}</Diagnostics>`;
}
