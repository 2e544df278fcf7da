/**
 * Documents as front ends post them, with every kind of event (docs/records.md).
 */

export function startXml(callId: string): string {
  return record(
    callId,
    `<StartOrUpdate Type="audio"><From>${alice}</From><To>${bob}</To><Properties><Protocol>UDP</Protocol>
     <EstimatedBandwidth Codec="SIREN/16000"><Low>52600</Low><High>68600</High></EstimatedBandwidth>
     <EstimatedBandwidth Codec="RED/8000"/></Properties></StartOrUpdate>
     <StartOrUpdate Type="audio"><From>${bob}</From><To>${alice}</To><Properties/></StartOrUpdate>`,
  );
}

export function errorXml(callId: string): string {
  return record(
    callId,
    `<Error><EndPoint><Id>a1</Id><URI>sip:alice@example.test</URI></EndPoint><EndPoint><Id>b1</Id></EndPoint><Properties>
     <ResponseCode Code="403">Forbidden</ResponseCode>
     <VendorDiagnostics>11007;reason=Quality reporting not enabled;source=fe1.example.test</VendorDiagnostics>
     </Properties></Error>`,
  );
}

export function qualityXml(callId: string): string {
  return record(
    callId,
    `<QualityUpdate Type="video"><From>${alice}</From><To>${bob}<Relay>198.51.100.7</Relay><RelayPort>3478</RelayPort>
     <Inside>True</Inside><VPN>False</VPN><Connection>Ethernet</Connection></To><Properties>
     <EstimatedBandwidth Codec="x-rtvc1/90000"/><PacketLossRate>0.02</PacketLossRate>
     <VideoPacketLossRate Limit="0.1">0.25</VideoPacketLossRate><Fancy>new in this release</Fancy></Properties></QualityUpdate>`,
    `<Connectivity>DIRECT</Connectivity><StartTime>2026-03-04T09:15:26.1234Z</StartTime>
     <EndTime>2026-03-04T09:25:26.1234Z</EndTime><AppliedBandwidthLimit>1E+09</AppliedBandwidthLimit>
     <DialogCategory>OCS</DialogCategory>`,
  );
}

export function endXml(callId: string): string {
  return record(callId, `<Ended><EndPoint>${alice}</EndPoint><EndPoint>${bob}</EndPoint></Ended>`);
}

/** A later version puts several events into one record and adds more fields. */
export function laterXml(callId: string): string {
  return `<Diagnostics Version="D" Extra="1"><ConnectionInfo><CallId>${callId}</CallId><CorrelationId>corr</CorrelationId>
<CSEQ>1</CSEQ><ConferenceId>HPKWKC6L</ConferenceId><MediaBypass>false</MediaBypass><SourcePool>p1</SourcePool>
<MediationServerLegPosition>BeforeMedServer</MediationServerLegPosition>
<FrontEnds>fe1.example.test,fe2.example.test</FrontEnds><Pools>pool.example.test</Pools><Fancy>new</Fancy></ConnectionInfo>
<Invite><Caller><Id>a</Id></Caller><Callee><URI>sip:bob@example.test</URI></Callee><Fancy>new</Fancy></Invite>
<Start Type="Audio"><To>${laterEndpoint}</To><Properties><Protocol>UDP</Protocol>
<Bandwidth Multiplexed="2"><Average>60000</Average><Maximum>105000</Maximum></Bandwidth>
<Codec Name="SILK/16000" PayLoadType="104"><Bandwidth>47700</Bandwidth></Codec><Via>one</Via><Fancy>new</Fancy>
<ReferredBy>sip:x@example.test</ReferredBy><Replaces>y</Replaces></Properties></Start>
<Ended Type="audio"><From><URI>sip:alice@example.test</URI></From><Fancy>new</Fancy></Ended>
<Bye><EndPoint><Id>a</Id></EndPoint></Bye>
<InCallQuality Type="audio"><Properties><StreamQuality>Poor</StreamQuality>
<StreamQualitySource>Server</StreamQualitySource><Codec Name="SILKWIDE/16000"/><RoundTrip>212</RoundTrip>
<Fancy Unit="s">new</Fancy></Properties><Route><Hop RTT="3">192.0.2.9</Hop></Route></InCallQuality>
<Properties><ResponseCode Code="200">OK</ResponseCode></Properties><RawSDP>v=0</RawSDP><Fancy>new</Fancy></Diagnostics>`;
}

const laterEndpoint = `<EPType>LRS</EPType><ReflexiveIP>192.0.2.1</ReflexiveIP><ReflexivePort>1</ReflexivePort>
<HostIP>192.0.2.2</HostIP><HostPort>2</HostPort><UserAgent Type="4">UCC/16</UserAgent><IncallEnabled>true</IncallEnabled>
<Trunk>t</Trunk><PAI>tel:+1</PAI><TenantId>t</TenantId><Wireless>true</Wireless><Subnet>192.0.2.0</Subnet>
<LinkSpeed>1E+09</LinkSpeed><DSCPInbound>46</DSCPInbound><DSCPOutbound>46</DSCPOutbound><MACAddr>00-00</MACAddr><OS>x</OS>
<CPUName>x</CPUName><CPUNumberOfCores>4</CPUNumberOfCores><CPUProcessorSpeed>2400</CPUProcessorSpeed>
<Virtualization>None</Virtualization><BSSID>x</BSSID><SSID>x</SSID><WifiDriverDeviceDesc>x</WifiDriverDeviceDesc>
<WifiDriverVersion>1</WifiDriverVersion><WiFiChannel>6</WiFiChannel><WifiHandovers>1</WifiHandovers>
<WifiChannelReassociations>1</WifiChannelReassociations><WifiSignalStrength>80</WifiSignalStrength>
<WifiRSSI>-60</WifiRSSI><WifiRadioType>1</WifiRadioType><WifiRadioFrequency>1</WifiRadioFrequency>
<WifiSupportFlags>1</WifiSupportFlags><WifiStatusFlags>1</WifiStatusFlags><WifiBatteryCharge>0</WifiBatteryCharge>
<DNSSuffix>example.test</DNSSuffix><Fancy>new</Fancy>`;
const alice = `<Id>a1</Id><EPId>e1</EPId><URI>sip:alice@example.test</URI><IP>192.0.2.10</IP><Port>50012</Port>`;
const bob = `<Id>b1</Id><EPId>e2</EPId><URI>sip:bob@example.test</URI><IP>2001:db8::20</IP><Port>50034</Port>`;

function record(callId: string, body: string, moreElements = ''): string {
  return `<Diagnostics Version="1.0"><ConnectionInfo Originator="e1"><FrontEnd>fe1.example.test</FrontEnd>
<CallId>${callId}</CallId><CSEQ>2</CSEQ><ConversationId>conv</ConversationId>
<TimeStamp>2026-03-04T09:15:27.1234567Z</TimeStamp>${moreElements}</ConnectionInfo>${body}</Diagnostics>`;
}
