/** Records of each kind (docs/records.md). */

export const startRecord = `<Diagnostics Version="1.0">
  <ConnectionInfo>
    <FrontEnd>fe1.example.test</FrontEnd>
    <CallId>0F3c9a6d8be24b7c91d2a4e5f6071829</CallId>
    <CSEQ>2</CSEQ>
    <ConversationId>AdxK0Q3vYk5yQmZ2</ConversationId>
    <TimeStamp>2026-03-04T09:15:27.1234567Z</TimeStamp>
  </ConnectionInfo>
  <StartOrUpdate Type="audio">
    <From><Id>a1b2</Id><EPId>9f8e</EPId><URI>sip:alice@example.test</URI><IP>192.0.2.10</IP><Port>50012</Port></From>
    <To>
      <Id>f6e5</Id><EPId>1a2b</EPId><URI>sip:bob@example.test</URI>
      <Contact>sip:bob@example.test;opaque=user:epid:kX0;gruu</Contact><IP>2001:db8::20</IP><Port>50034</Port>
    </To>
    <Properties>
      <Protocol>UDP</Protocol>
      <EstimatedBandwidth Codec="SIREN/16000"><Low>52600</Low><High>68600</High></EstimatedBandwidth>
      <EstimatedBandwidth Codec="RED/8000"/>
    </Properties>
  </StartOrUpdate>
  <StartOrUpdate Type="audio"><From><Id>f6e5</Id></From><To><Id>a1b2</Id></To><Properties/></StartOrUpdate>
</Diagnostics>`;

export const endedRecord = `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>fe1.example.test</FrontEnd>
<CallId>c1</CallId><CSEQ>3</CSEQ><TimeStamp>2026-03-04T09:25:27.1234567Z</TimeStamp></ConnectionInfo>
<Ended><EndPoint><Id>a1</Id><EPId>e1</EPId><URI>sip:alice@example.test</URI></EndPoint>
<EndPoint><Id>b1</Id><EPId>e2</EPId><URI>sip:bob@example.test</URI></EndPoint></Ended></Diagnostics>`;

export const errorRecord = `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>fe1.example.test</FrontEnd>
<CallId>c1</CallId><CSEQ>1</CSEQ><TimeStamp>2026-03-04T09:25:27Z</TimeStamp></ConnectionInfo>
<Error><EndPoint><Id>a1</Id><EPId>e1</EPId><URI>sip:alice@example.test</URI></EndPoint>
<EndPoint><Id>b1</Id><URI>sip:bob@example.test</URI></EndPoint>
<Properties><ResponseCode Code="403">Forbidden</ResponseCode>
<VendorDiagnostics>11007; reason=Quality reporting not enabled;source=fe1.example.test</VendorDiagnostics></Properties>
</Error></Diagnostics>`;

export const qualityRecord = `<Diagnostics Version="1.0"><ConnectionInfo Originator="9f8e">
<FrontEnd>fe1.example.test</FrontEnd><CallId>c1</CallId><TimeStamp>2026-03-04T09:25:28Z</TimeStamp>
<Connectivity>DIRECT</Connectivity><StartTime>2026-03-04T09:15:26.1234Z</StartTime>
<EndTime>2026-03-04T09:25:26.1234Z</EndTime><AppliedBandwidthLimit>1E+09</AppliedBandwidthLimit>
<DialogCategory>OCS</DialogCategory></ConnectionInfo>
<QualityUpdate Type="video">
<From><Id>a1</Id><URI>sip:alice@example.test</URI><Contact>sip:alice@x;gruu</Contact><IP>192.0.2.1</IP><Port>5</Port></From>
<To><Id>b1</Id><URI>sip:bob@example.test</URI><IP>192.0.2.2</IP><Port>65535</Port><Relay>198.51.100.7</Relay>
<RelayPort>3478</RelayPort><Inside>True</Inside><VPN>False</VPN><Connection>Ethernet</Connection></To>
<Properties><EstimatedBandwidth Codec="x-rtvc1/90000"/><PacketUtilization>8123</PacketUtilization>
<PacketLossRate>4.210172E-005</PacketLossRate><JitterInterArrival>4</JitterInterArrival>
<VideoPacketLossRate Limit="0.1">0.25</VideoPacketLossRate><RecvFrameRateAverage Limit="7">14.5</RecvFrameRateAverage>
<VideoLocalFrameLossPercentageAvg Limit="10.0">0</VideoLocalFrameLossPercentageAvg>
<Fancy>new in this release</Fancy></Properties></QualityUpdate></Diagnostics>`;

/** Versions C and D put several events into one record and use other names. */
export const laterRecord = `<LyncDiagnostics Version="D"><ConnectionInfo><CallId>c2</CallId>
<CorrelationId>corr</CorrelationId><CSEQ>1</CSEQ><ConferenceId>HPKWKC6L</ConferenceId>
<MediaBypass>false</MediaBypass><SourcePool>pool.example.test</SourcePool>
<FrontEnds>fe1.example.test,FE1.example.test, fe2.example.test</FrontEnds><Pools>pool.example.test</Pools></ConnectionInfo>
<Invite><Caller><Id>a</Id></Caller><Callee><URI>sip:bob@example.test</URI></Callee></Invite>
<Start Type="Audio"><To><UserAgent Type="4">UCC/16</UserAgent><Port>none</Port></To><Properties><Protocol>UDP</Protocol>
<Bandwidth Multiplexed="2"><Average>60000</Average><Maximum>105000</Maximum></Bandwidth>
<Codec Name="SILK/16000" PayLoadType="104"><Bandwidth>47700</Bandwidth><MaxBandwidth>-1</MaxBandwidth></Codec>
<Via>one</Via></Properties></Start>
<Ended Type="audio"><From><URI>sip:alice@example.test</URI></From></Ended><Bye><EndPoint><Id>a</Id></EndPoint></Bye>
<Error><Properties><ResponseCode>488</ResponseCode><ResponsePhrase>Not Acceptable Here</ResponsePhrase>
<MSDiagnostics>52017; reason="Encryption levels don't match"</MSDiagnostics>
<MSDiagnosticsClient>7; reason="c"</MSDiagnosticsClient></Properties></Error>
<InCallQuality Type="audio"><Properties><StreamQuality>Poor</StreamQuality><Codec Name="SILKWIDE/16000"/>
<RoundTrip>212</RoundTrip></Properties><Route><Hop RTT="3">192.0.2.9</Hop><Hop>192.0.2.8</Hop></Route></InCallQuality>
<Properties><ResponseCode Code="200">OK</ResponseCode></Properties><RawSDP>v=0</RawSDP></LyncDiagnostics>`;
