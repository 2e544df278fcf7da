import type { Extensions } from './extensions.js';

/** One party of a call as described by an event. */
export interface Endpoint {
  /** SIP dialog tag: new for each call. */
  readonly id?: string;
  /** Id of device and sign-in: the same for all calls. */
  readonly epId?: string;
  /** `sip:` URI of the user. */
  readonly uri?: string;
  readonly contact?: string;
  /** Source or destination of the media of this stream: IPv4 or IPv6. */
  readonly ip?: string;
  readonly port?: number;
  /** Type of the endpoint: `LRS` is a room system. */
  readonly epType?: string;
  /** Media relay and its port, when the media go through one. */
  readonly relay?: string;
  readonly relayPort?: number;
  /** Address outside of the NAT of the endpoint. */
  readonly reflexiveIp?: string;
  readonly reflexivePort?: number;
  /** Address on the endpoint's own network. */
  readonly hostIp?: string;
  readonly hostPort?: number;
  readonly userAgent?: string;
  /** Class of the user agent: 1 mediation server, 4 desktop client, 8 desk phone, ... */
  readonly userAgentType?: number;
  /** Whether the client can report quality during the call. */
  readonly incallEnabled?: boolean;
  /** SIP trunk. */
  readonly trunk?: string;
  /** P-Asserted-Identity: `sip:…`, `tel:+…`, or a list of both. */
  readonly assertedIdentity?: string;
  readonly tenantId?: string;
  /** Whether the endpoint is inside the organisation's network. */
  readonly inside?: boolean;
  readonly vpn?: boolean;
  readonly wireless?: boolean;
  /** `Ethernet`, `Wifi`, ... as written; `connectionKind` normalizes it. */
  readonly connection?: string;
  readonly subnet?: string;
  /** bit/s; 4294967300 means unknown. */
  readonly linkSpeed?: number;
  readonly dscpInbound?: number;
  readonly dscpOutbound?: number;
  readonly mac?: string;
  readonly os?: string;
  readonly cpuName?: string;
  readonly cpuCores?: number;
  /** MHz, as text. */
  readonly cpuSpeed?: string;
  readonly virtualization?: string;
  /** Access point. */
  readonly bssid?: string;
  readonly ssid?: string;
  readonly wifiDriver?: string;
  readonly wifiDriverVersion?: string;
  readonly wifiChannel?: number;
  /** Counted during the call. */
  readonly wifiHandovers?: number;
  readonly wifiReassociations?: number;
  /** 0 to 100. */
  readonly wifiSignalStrength?: number;
  readonly wifiRssi?: number;
  readonly wifiRadioType?: number;
  readonly wifiRadioFrequency?: number;
  /** Bits: 1 IPv4, 2 IPv6. */
  readonly wifiSupportFlags?: number;
  /** Bits: 1 VPN. */
  readonly wifiStatusFlags?: number;
  /** Per cent; 0 when plugged in. */
  readonly wifiBatteryCharge?: number;
  readonly dnsSuffix?: string;
  readonly further?: Extensions;
}
