/** Records of calls as front ends post them; a call of now, between two people of your choice. */
export interface Example {
  readonly callId: string;
  readonly from?: string;
  readonly to?: string;
  readonly frontEnd?: string;
  /** How long ago it was sent, in seconds. */
  readonly ago?: number;
  readonly conversation?: string;
}

export function startXml(example: Example): string {
  const [a, b] = sidesOf(example);
  return record(example, direction(a, b) + direction(b, a));
}

/** Averages so far: in a call that goes on, as bad as the loss (0 to 1) makes it. */
export function lossXml(example: Example, loss: number): string {
  return record(example, quality('InCallQuality', example, loss));
}

/** The final report. */
export function qualityXml(example: Example, loss: number): string {
  return record(example, quality('QualityUpdate', example, loss));
}

export function endXml(example: Example): string {
  const ends = sidesOf(example).map((side) => `<EndPoint>${side}</EndPoint>`);
  return record(example, `<Ended>${ends.join('')}</Ended>`);
}

export function errorXml(example: Example): string {
  const ends = sidesOf(example).map((side) => `<EndPoint>${side}</EndPoint>`);
  return record(
    example,
    `<Error>${ends.join('')}<Properties><ResponseCode Code="486">Busy Here</ResponseCode>
     <VendorDiagnostics>10000;reason=the callee is in another call;source=fe1.example.test</VendorDiagnostics>
     </Properties></Error>`,
  );
}

function quality(element: string, example: Example, loss: number): string {
  const [from, to] = sidesOf(example);
  return `<${element} Type="audio"><From>${from}</From><To>${to}</To><Properties>
    <PacketLossRate Limit="0.1">${loss}</PacketLossRate><JitterInterArrival Limit="30">12</JitterInterArrival>
    <RoundTrip Limit="500">48</RoundTrip><PacketUtilization>25000</PacketUtilization></Properties></${element}>`;
}

function sidesOf({ from = 'anna', to = 'ben' }: Example): readonly [string, string] {
  return [side(from, '10.1.0.10'), side(to, '10.2.0.20')];
}

function side(name: string, ip: string): string {
  return `<Id>${name}1</Id><EPId>${name}2</EPId><URI>sip:${name}@example.test</URI><IP>${ip}</IP><Port>50000</Port>`;
}

function direction(from: string, to: string): string {
  return `<StartOrUpdate Type="audio"><From>${from}</From><To>${to}</To><Properties><Protocol>UDP</Protocol>
    <EstimatedBandwidth Codec="SIREN/16000"><Low>52600</Low><High>68600</High></EstimatedBandwidth></Properties></StartOrUpdate>`;
}

function record({ callId, frontEnd = 'fe1.example.test', ago = 0, conversation }: Example, body: string): string {
  const at = new Date(Date.now() - ago * 1000).toISOString();
  const linked = conversation === undefined ? '' : `<ConversationId>${conversation}</ConversationId>`;
  return `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>${frontEnd}</FrontEnd><CallId>${callId}</CallId>${linked}
    <TimeStamp>${at}</TimeStamp></ConnectionInfo>${body}</Diagnostics>`;
}
