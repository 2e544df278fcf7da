/** Records as senders of A, C and D write them: the formats of the protocol page, with our own names. */

function header(fields: string): string {
  return `<ConnectionInfo><CallId>8f14e45f</CallId>${fields}</ConnectionInfo>`;
}

const anna = '<Id>a1</Id><EPId>e1</EPId><URI>sip:anna@example.test</URI>';
const ben = '<Id>b2</Id><EPId>e2</EPId><URI>sip:ben@example.test</URI>';

/**
 * A: codecs with the bandwidths of either version, a route and an outcome of the request in addition to the streams.
 */
export const startOfA = `<LyncDiagnostics Version="A">${header(
  '<CorrelationId>corr</CorrelationId><CSEQ>2</CSEQ><ConferenceURI>sip:anna@example.test;gruu;opaque=app:conf:audio-video:id:X</ConferenceURI>',
)}<Start Type="audio"><From>${anna}<IP>192.0.2.1</IP></From><To>${ben}</To><Properties><Protocol>UDP</Protocol>
<Codec Name="SIREN/16000"><Low>52600</Low><High>68600</High></Codec><Codec Name="PCMU/8000"><Bandwidth>97000</Bandwidth>
<MaxBandwidth>161000</MaxBandwidth></Codec></Properties></Start><Route><Hop>192.0.2.9</Hop></Route>
<Properties><ResponseCode Code="200">OK</ResponseCode><MSDiagnosticsPublic>1; reason="x"</MSDiagnosticsPublic></Properties>
</LyncDiagnostics>`;

/** A: an update while on hold names the endpoints without a direction. */
export const holdOfA = `<LyncDiagnostics Version="A">${header('<CSEQ>3</CSEQ>')}<Update Type="audio">
<EndPoint>${anna}</EndPoint><EndPoint>${ben}</EndPoint><Properties/></Update></LyncDiagnostics>`;

/** C: no declaration, no time stamp in UTC, both ends and the goodbye in one. */
export const endOfC = `<LyncDiagnostics Version="C">${header(
  '<CSEQ>1</CSEQ><TimeStamp>2026-03-04T11:25:27.1234567+02:00</TimeStamp><SourcePool>pool.example.test</SourcePool>',
)}<Ended Type="audio"><From>${anna}</From><To>${ben}</To></Ended><Ended Type="audio"><From>${ben}</From><To>${anna}</To>
<Properties><MSDiagnostics>51004; reason="Action initiated by user";UserType="Callee"</MSDiagnostics></Properties></Ended>
<Bye><EndPoint>${anna}</EndPoint><EndPoint>${ben}</EndPoint></Bye></LyncDiagnostics>`;

export const headerOfC = `<LyncDiagnostics Version="C">${header('<CSEQ>4</CSEQ>')}</LyncDiagnostics>`;

/** D of the latest release: all known fields of an endpoint, and some unknown ones. */
export const qualityOfD = `<LyncDiagnostics Version="D">${header(
  `<TimeStamp>2026-03-04T09:25:28.0000001Z</TimeStamp><Connectivity>DIRECT</Connectivity>
<StartTime>2026-03-04T09:15:26.1234Z</StartTime><EndTime>2026-03-04T09:25:26.1234Z</EndTime>
<MediationServerLegPosition>AfterMedServer</MediationServerLegPosition>
<FrontEnds>fe1.example.test,fe1.example.test</FrontEnds><Pools>pool.example.test</Pools>`,
)}<QualityUpdate Type="audio"><From>${anna}<IP>192.0.2.1</IP><Port>50012</Port><EPType>LRS</EPType>
<ReflexiveIP>198.51.100.1</ReflexiveIP><ReflexivePort>61000</ReflexivePort><HostIP>10.0.0.1</HostIP>
<HostPort>50013</HostPort><UserAgent Type="4">UCCAPI/16</UserAgent><IncallEnabled>true</IncallEnabled><Trunk>t1</Trunk>
<PAI>sip:anna@example.test,tel:+493012345</PAI><TenantId>tenant</TenantId><VPN>FALSE</VPN><Wireless>true</Wireless>
<Connection>wifi</Connection><Subnet>192.0.2.0</Subnet><LinkSpeed>4.2949673E+09</LinkSpeed>
<DSCPInbound>46</DSCPInbound><DSCPOutbound>false</DSCPOutbound><MACAddr>00-15-5D-00-11-22-33-44</MACAddr>
<OS>Windows</OS><CPUName>CPU ®</CPUName><CPUNumberOfCores>4</CPUNumberOfCores>
<CPUProcessorSpeed>2394</CPUProcessorSpeed><Virtualization>HyperV</Virtualization><BSSID>00-11-22-33-44-55</BSSID>
<SSID>office</SSID><WifiDriverDeviceDesc>card (1);card (2)</WifiDriverDeviceDesc><WifiDriverVersion>1;2</WifiDriverVersion>
<WiFiChannel>11</WiFiChannel><WifiHandovers>2</WifiHandovers><WifiChannelReassociations>1</WifiChannelReassociations>
<WifiSignalStrength>80</WifiSignalStrength><WifiRSSI>70</WifiRSSI><WifiRadioType>4</WifiRadioType>
<WifiRadioFrequency>5</WifiRadioFrequency><WifiSupportFlags>3</WifiSupportFlags><WifiStatusFlags>1</WifiStatusFlags>
<WifiBatteryCharge>0</WifiBatteryCharge><DNSSuffix>example.test</DNSSuffix></From><To>${ben}</To><Properties>
<StreamQuality Source="client">Poor</StreamQuality><Codec Name="SILKWIDE/16000"/><PacketLossRate>6E-07</PacketLossRate>
<CaptureDevice>Mikrofon (Ü®)</CaptureDevice></Properties><Route><Hop RTT="3">192.0.2.9</Hop></Route></QualityUpdate>
</LyncDiagnostics>`;

/** Content that no release has yet, in every place. */
export const unknownOfE = `<?xml version="1.0"?><v:LyncDiagnostics xmlns:v="urn:later" Version="E" Edition="2">
<Weather Unit="C"><Rain>yes</Rain><Rain>later</Rain></Weather>
<ConnectionInfo Zone="7"><CallId Kind="sip">8f14e45f</CallId><Tenant><Id>t</Id></Tenant></ConnectionInfo>
<Start Type="audio" Reason="new"><From Role="host"><Id>a1</Id><Id>a2</Id><Seat row="3"/></From><Cause>invite</Cause>
<Properties Set="x"><Protocol>UDP</Protocol><Codec Name="OPUS"><Fec>on</Fec></Codec><Layers><Layer>1</Layer></Layers></Properties>
</Start><Properties><Note>n</Note></Properties><Route via="edge"><Leg>1</Leg></Route></v:LyncDiagnostics>`;
