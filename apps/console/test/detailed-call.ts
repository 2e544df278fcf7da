/** Records of version D: a call between a laptop on Wi-Fi at home and a desk phone, as detailed as senders report it. */
export interface DetailedCall {
  readonly callId: string;
  readonly from?: string;
  readonly to?: string;
  /** How long ago the call began, in seconds. */
  readonly ago: number;
  readonly userAgent?: string;
  /** More elements for the header of each record. */
  readonly header?: string;
}

/** Metrics of one direction, by their elements. */
export type Measured = Readonly<Record<string, number | string>>;

export const GOOD: Measured = {
  RecvListenMOS: 4.12,
  PacketUtilization: 11_250,
  PacketLossRate: 0.0004,
  PacketLossRateMax: 0.011,
  JitterInterArrival: 6,
  JitterInterArrivalMax: 19,
  RoundTrip: 48,
  DegradationAvg: 0.18,
  RatioConcealedSamplesAvg: 0.004,
  RecvSignalLevel: -22,
  CaptureDevice: 'Headset Pro 45 (USB)',
  RenderDevice: 'Built-in speaker',
};

export const BAD: Measured = {
  ...GOOD,
  RecvListenMOS: 2.48,
  PacketLossRate: 0.121,
  PacketLossRateMax: 0.42,
  JitterInterArrival: 21,
  RoundTrip: 214,
  DegradationAvg: 1.62,
  RatioConcealedSamplesAvg: 0.11,
};

export function inviteD(call: DetailedCall): string {
  const [a, b] = detailedCallSides(call);
  return record(call, 0, `<Invite><Caller>${a}</Caller><Callee>${b}</Callee></Invite>`);
}

/** `after`: seconds since the invitation; also of the following. */
export function startD(call: DetailedCall, after: number): string {
  const streams = directionsOf(call).map(
    (ends) => `<Start Type="audio">${ends}<Properties><Protocol>UDP</Protocol>
      <Codec Name="SILK/16000"><Bandwidth>47700</Bandwidth><MaxBandwidth>105000</MaxBandwidth></Codec></Properties></Start>`,
  );
  const times = '<PostDialDelay>820</PostDialDelay><RingTime>6400</RingTime>';
  return record(call, after, streams.join(''), times);
}

/** Both directions on hold, or no longer. */
export function updateD(call: DetailedCall, after: number, isHeld: boolean): string {
  const bandwidth = isHeld ? 0 : 64_000;
  const streams = directionsOf(call).map(
    (ends) => `<Update Type="audio">${ends}<Properties><Bandwidth><Average>${bandwidth}</Average>
      <Maximum>${bandwidth}</Maximum></Bandwidth></Properties></Update>`,
  );
  return record(call, after, streams.join(''));
}

/** Averages of both directions during the call. */
export function inCallD(call: DetailedCall, after: number, there: Measured, back: Measured): string {
  return record(call, after, reports('InCallQuality', call, there, back));
}

/** The final reports on both directions. */
export function qualityD(call: DetailedCall, after: number, there: Measured, back: Measured): string {
  return record(call, after, reports('QualityUpdate', call, there, back), '<Connectivity>RELAY</Connectivity>');
}

export function byeD(call: DetailedCall, after: number, more = ''): string {
  const ends = detailedCallSides(call).map((side) => `<EndPoint>${side}</EndPoint>`);
  return record(call, after, `<Bye>${ends.join('')}</Bye>`, `<EndedBy>Callee</EndedBy>${more}`);
}

function reports(element: string, call: DetailedCall, ...measured: readonly Measured[]): string {
  return directionsOf(call)
    .map((ends, index) => {
      const metrics = Object.entries(measured[index] ?? {}).map(([name, value]) => `<${name}>${value}</${name}>`);
      return `<${element} Type="audio">${ends}<Properties><Codec Name="SILK/16000"/>${metrics.join('')}</Properties></${element}>`;
    })
    .join('');
}

function directionsOf(call: DetailedCall): readonly string[] {
  const [a, b] = detailedCallSides(call);
  return [`<From>${a}</From><To>${b}</To>`, `<From>${b}</From><To>${a}</To>`];
}

function detailedCallSides({
  from = 'anna',
  to = 'ben',
  userAgent = 'Softphone/16.0.4266',
}: DetailedCall): [string, string] {
  return [
    `<Id>${shortenedId(from)}-1</Id><EPId>${shortenedId(from)}-2</EPId><URI>sip:${from}@example.test</URI><IP>192.0.2.44</IP><Port>50012</Port>
     <Relay>198.51.100.9</Relay><RelayPort>52001</RelayPort><ReflexiveIP>203.0.113.77</ReflexiveIP>
     <ReflexivePort>61000</ReflexivePort><HostIP>192.168.1.23</HostIP><HostPort>50012</HostPort>
     <UserAgent Type="4">${userAgent}</UserAgent><Inside>false</Inside><VPN>true</VPN><Wireless>true</Wireless>
     <Connection>wifi</Connection><Subnet>192.168.1.0</Subnet><LinkSpeed>8.67E+08</LinkSpeed>
     <DSCPInbound>0</DSCPInbound><MACAddr>00-15-5D-00-11-22</MACAddr><OS>Windows 11 23H2</OS>
     <CPUName>Core i7-1260P</CPUName><CPUNumberOfCores>12</CPUNumberOfCores><CPUProcessorSpeed>2100</CPUProcessorSpeed>
     <BSSID>9C-3D-CF-11-22-33</BSSID><SSID>Home-5G</SSID>
     <WifiDriverDeviceDesc>AX211 160MHz</WifiDriverDeviceDesc><WifiDriverVersion>22.200.2</WifiDriverVersion>
     <WiFiChannel>11</WiFiChannel><WifiSignalStrength>38</WifiSignalStrength><WifiHandovers>3</WifiHandovers>`,
    `<Id>${to}-1</Id><EPId>${to}-2</EPId><URI>sip:${to}@example.test</URI><IP>10.2.0.20</IP><Port>50100</Port>
     <UserAgent>DeskPhone/4.2</UserAgent><Inside>true</Inside><VPN>false</VPN><Connection>wired</Connection>
     <Subnet>10.2.0.0</Subnet><LinkSpeed>1000000000</LinkSpeed><DSCPInbound>46</DSCPInbound>`,
  ];
}

/** Ids are shorter than names may be. */
function shortenedId(name: string): string {
  return name.slice(0, 100);
}

function record({ callId, ago, header = '' }: DetailedCall, after: number, body: string, more = ''): string {
  const at = new Date(Date.now() - ago * 1000 + after * 1000).toISOString();
  return `<Diagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><TimeStamp>${at}</TimeStamp>
    <FrontEnds>fe1.example.test</FrontEnds><Pools>pool1.example.test</Pools>${header}${more}</ConnectionInfo>${body}</Diagnostics>`;
}
