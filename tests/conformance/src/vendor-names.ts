/** The names that differ between vendor profiles in requests and responses. */
export interface VendorNames {
  readonly challengeScheme: string;
  readonly identityScopeField: string;
  readonly grantPrefix: string;
  readonly conferenceUriField: string;
  readonly renewField: string;
  readonly headerPrefix: string;
  readonly diagnosticsHeader: string;
  readonly versionHeader: string;
  /** Without its `+xml` or `+json`. */
  readonly mediaType: string;
  /** Of the discovery documents for native clients. */
  readonly nativeMediaType: string;
  readonly xmlNamespace: string;
  readonly photoCookie: string;
  readonly senderRoot: string;
  readonly recordRoot: string;
  readonly diagnosticsElement: string;
}

/** As `docs/openapi.yaml` writes them. */
export const defaultNames: VendorNames = {
  challengeScheme: 'RingdownOAuth',
  identityScopeField: 'ringdown_rtc_identityscope',
  grantPrefix: 'urn:ringdown:uc:',
  conferenceUriField: 'ringdown_rtc_conferenceuri',
  renewField: 'ringdown_rtc_renew',
  headerPrefix: 'X-Ringdown-',
  diagnosticsHeader: 'X-Ringdown-Diagnostics',
  versionHeader: 'X-Ringdown-Version',
  mediaType: 'application/vnd.ringdown.uc',
  nativeMediaType: 'application/vnd.ringdown.autodiscover',
  xmlNamespace: 'urn:ringdown:uc:v1',
  photoCookie: 'ringdown_photos',
  senderRoot: 'Ringdown',
  recordRoot: 'Diagnostics',
  diagnosticsElement: 'VendorDiagnostics',
};

const known: Readonly<Record<string, VendorNames>> = {
  default: defaultNames,
  ms: {
    challengeScheme: 'MsRtcOAuth',
    identityScopeField: 'ms_rtc_identityscope',
    grantPrefix: 'urn:microsoft.rtc:',
    conferenceUriField: 'ms_rtc_conferenceuri',
    renewField: 'ms_rtc_renew',
    headerPrefix: 'X-MS-',
    diagnosticsHeader: 'X-Ms-diagnostics',
    versionHeader: 'X-MS-UcwaVersion',
    mediaType: 'application/vnd.microsoft.com.ucwa',
    nativeMediaType: 'application/vnd.microsoft.rtc.autodiscover',
    xmlNamespace: 'http://schemas.microsoft.com/rtc/2012/03/ucwa',
    photoCookie: 'cwt_ucwa',
    senderRoot: 'LDL',
    recordRoot: 'LyncDiagnostics',
    diagnosticsElement: 'MSDiagnostics',
  },
};

export function profileNames(profile: string): VendorNames {
  const names = known[profile];
  if (names === undefined) {
    throw new Error(`RINGDOWN_PROFILE must be one of ${Object.keys(known).join(', ')}, not "${profile}"`);
  }
  return names;
}
