import { STATUS_PHRASE_WORDS } from './status-phrases.js';

/**
 * Words that may be shown when users are hidden: technical ones, none of which is the name of a person. Words in no
 * list are hidden. Compared without regard to case; a word ends at a space, a dot, a hyphen and any other punctuation.
 */
function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.trim().split(/\s+/)));
}

/** Words of the reason phrases of the SIP registry, of diagnostics of known senders, and of our own record errors. */
const PHRASES = `
  a about absent accept acceptable accepted access account across action active address addresses after agent all allowed
  already alternate alternative ambiguous an and anonymity anonymous another answer answered any api app application applications
  are as at attempt attempted attribute attributes audio auth authentication authorization authorized auto available
  away b bad bandwidth be because been before beyond bit blocked body both bot branch bridge bridged broken busy but by bye call
  callee caller calling calls can cancel canceled cancelled cancelling cannot capability capacity cause caused center
  certificate challenge change changed channel characters check circuit classes client clients close closed code
  codec codecs communication component components conditional conference conferencing conflict connect connected connecting
  connection connectivity consent content contract control could count create created credential credentials current data database decline
  declined default degraded delay delayed demo denied deny depth description destination destinations details detected device devices dialog did
  different digest direct directory disabled disallowed disconnect disconnected disk dns do does domain don't drop dropped due
  duplicate duration early edge either element elements empty enabled encoding encryption end ended ending endpoint endpoints
  ends enterprise entity entry error errors establish established establishing event exceeded exception exchange exist
  exists expected expired explicit express extension external fail failed failing failover fails failure false fault features fields first flow
  focus for forbidden fork forked form format forward forwarded forwarding found from full fully gateway general global gone got group
  had handled handling handover hang hangup has have header headers held hidden hold hop hops host hosting however http ice id identifier
  identity if im implemented in inactive inbound incoming incompatible incomplete information initiated input inside
  instance insufficient integrity intermediate internal interval into intervening invalid invitation invite invited inviting ip
  is issue it item its join joined joining json key kind known large last late layer leg length less level levels license limit limited
  line list listener local location locked long loop lookup loss lost lync making malformed manager many match matches
  maximum may me media mediation meeting member message messages metadata method minimum miss missed missing mode more most move moved
  multiple music must name names nat need needed needs negotiate negotiated negotiation network new next no node nodes not nothing number
  object of off offer offered offline ok old on once one only open operation operator option options or order other out outbound
  outgoing outside over own packet packets parallel parameter parameters parked parse parsing part participant participants
  partner party password path peer pending per percent performed permanent permanently permission permitted person phone phrase pickup
  pipe place play please point policy pool port ports precondition presence present previous primary prior privacy private
  problem procedure processed processing progress protocol provide provided provisional proxy public pstn punctuation push qoe quality query
  queue queued quit range rate reached reachable reading ready reason receive received receiver receiving reconnect
  record recorded recording records recoverable recovery redirect redirected refer reference referred reflexive refresh
  refused regarded register registered registrar registration reinvite reject rejected relay release released remote remove removed
  removing replaced replaces report reporting reports request requested requests require required requires reserved reset resource resources
  responding response responses restart restricted result results retransmission retrieve retry return returned ringing room
  root rout route routed router routing rtc rtcp rtp rule rules same screen sdp second secondary seconds section security see semi
  send sender sending sent sequence server servers service services session sessions set setup shared sharing short should shut shutdown
  signal signaling signalling signed silence simultaneous since sip size skype slow small so some soon source specified srtp stale
  stand standard start started state status stopped storage stored stream streams stun subject subscription succeeded success
  successful such supplied support supported suppressed switch switched syntax system table tag take taken target targets task tcp tel
  telephone telephony temporarily temporary tenant terminate terminated terminating termination test text than that the their them then
  there these they this those threshold through time timed timeout timer times tls to token too transaction transfer transferred
  transferring transport trial tried true trunk trusted try trying tunnel turn two type udp unable unacceptable unauthorized unavailable
  undecipherable under unexpected unhandled unified unknown unplugged unreachable unreadable unregistered unresolvable
  unsupported until unwanted up update updated uri url use used useful user users using validation value values version via video vieo
  voice voicemail vpn wait waited waiting was we web were what when where which while who whole with within without
  word words would wrong here responded respond responds reply replied pending many busy loops urgent moment hand holding xml yes you your`;

/** Names of elements of the feed, of keys of diagnostics and of headers, in addition to those words. */
const NAMES = `
  hidden uc type transfer encoding length context ucmp ucwa microsoft www com lcs http https xmpp pres mailto sips h323 urn uuid schemas ringdown requestmessage getconfiguration
  diagnostics vendordiagnostics connectioninfo cut callid cseq frontend frontends epid startorupdate qualityupdate incallquality lrsinvite
  apimodule exum internalgateway gruu opaque conf epid mras isfocus lr ob maddr ttl transport udp tls tcp ws wss sctp
  content disposition id multipart alternative mixed related boundary application sdp charset utf optional render handling
  audio video data applicationsharing screensharing message image main panoramic wired wifi wireless ethernet mobile lan wlan
  other ppp tunnel cable good poor optimal acceptable direct failedprobe partial none full both beforemedserver aftermedserver lrs
  microphone speaker speakers headset earphone earphones handset headphones webcam camera array realtek jabra plantronics poly polycom
  sennheiser epos logitech conexant high definition external digital output definition usb bluetooth hands free hd hdaudio
  softphone deskphone desktop`;

/** Words of user agents, operating systems, processors and drivers. */
const PRODUCTS = `
  uccapi oc ocphone lync skype business rtcc mediationserver mediation server ucma moc lyncmobile iphonelync androidlync ipadlync wplync
  windows macos mac os x linux android ios darwin debian ubuntu sp suite workstation arch wow64 x64 x86 arm64 amd64 build service pack
  intel r tm core xeon pentium celeron atom cpu ghz mhz amd ryzen epyc opteron athlon apple m1 m2 m3 i3 i5 i7 i9
  dual band ac ax n centrino advanced ultimate broadcom qualcomm atheros wi fi adapter driver vmware hyper kvm
  xen virtualbox virtual machine hypervisor citrix physical
  asterisk pbx freeswitch mod sofia kamailio opensips sipp pjsip pjsua pjproject linphone liblinphone belle baresip jitsi sipml5 jssip bria counterpath
  zoiper microsip blink twinkle ekiga csipsimple xlite eyebeam snom yealink grandstream gxp htek fanvil cisco cp spa avaya
  one mitel aastra unify openstage gigaset alcatel lucent audiocodes mediant oracle acme packet ribbon sonus patton
  smartnode vvx soundpoint soundstation realpresence trio innovaphone siemens sangoma freepbx 3cxphone 3cx obihai ooma panasonic nec`;

/** Codecs and their parameters. */
const MEDIA = `
  pcmu pcma g711 g722 g7221 g723 g726 g728 g729 g729a gsm ilbc speex opus silk silkwide silknarrow siren msrta rtaudio amr wb evs aal2 l16 cn red
  ulpfec flexfec rtx telephone event telephone-event h261 h263 h264 h264uc h265 vp8 vp9 av1 rtvc1 rtvideo ms rt x data raw rdp satin
  in ip4 ip6 avp avpf savp savpf rtp udp tcp msrp dtls sctp tbcp t38 udptl srtp webrtc datachannel as tias ct rs rr modifier
  sendrecv sendonly recvonly inactive nack pli fir ccm goog remb transport cc tmmbr rpsi sli ack actpass passive holdconn
  host srflx prflx relay typ raddr rport generation cost network tcptype so act pass aes cm hmac sha1 sha 32 80 128 192 256 512 gcm aead f8 null
  unencrypted inline mki scale clear cipher bundle lipsync fid fec fr sim simulcast send recv cname msid label mslabel streamid local stun turn
  useinbandfec stereo maxaveragebitrate maxplaybackrate minptime maxptime ptime cbr usedtx sprop level asymmetry profile packetization mode
  annexa annexb octet align crc robust sorting interleaving apt bitrate caps dtmf max fs mbps br cap sur fr sstmode parameter sets
  urn ietf params hdrext ssrc audio level toffset abs time sdes mid rid repaired orientation playout delay content color space org webrtc experiments
  video rtp extensions draft holmer rmcat wide 01 3gpp trickle ice2 renomination lite rtcp mux rsize end candidates new session streams
  rtpmap fmtp sdp candidate fingerprint group fingerprints setup active fb msi mrtc usage bcast src layout gaming send layer
  applicationsharing sharer viewer sharing session role screen main panoramic document presentation slides speaker v0 0 xa xs xtf
  bypassid mediasettings ssrc range devicecaps caps allowed preferred depth source streamid signaling`;

/** For reason phrases and free text. */
export const PHRASE_WORDS = words(PHRASES, NAMES, STATUS_PHRASE_WORDS.join(' '));
/** For user agents, systems and devices. */
export const PRODUCT_WORDS = words(PHRASES, NAMES, PRODUCTS, STATUS_PHRASE_WORDS.join(' '));
/** For descriptions of media. */
export const MEDIA_WORDS = words(NAMES, MEDIA);
