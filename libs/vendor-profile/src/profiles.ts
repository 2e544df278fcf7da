import type { VendorProfile } from './profile.js';

/** Neutral names, as in docs/openapi.yaml. */
export const defaultProfile: VendorProfile = {
  name: 'default',
  web: {
    challengeScheme: 'RingdownOAuth',
    identityScopeField: 'ringdown_rtc_identityscope',
    grantPrefix: 'urn:ringdown:uc:',
    conferenceUriField: 'ringdown_rtc_conferenceuri',
    renewField: 'ringdown_rtc_renew',
    headerPrefix: 'X-Ringdown-',
    diagnosticsHeader: 'X-Ringdown-Diagnostics',
    versionHeader: 'X-Ringdown-Version',
    version: '1.0',
    mediaType: 'application/vnd.ringdown.uc',
    xmlNamespace: 'urn:ringdown:uc:v1',
    discoveryLabels: ['ucdiscoverinternal', 'ucdiscover'],
    tokenPrefix: '',
    photoCookie: 'ringdown_photos',
    paths: {
      discovery: ['/'],
      user: ['/uc/discovery/user'],
      token: ['/uc/token'],
      signOut: ['/uc/token/revoke'],
      crossFrame: ['/xframe'],
      api: ['/uc/v1'],
    },
    nativeDiscovery: {
      mediaType: 'application/vnd.ringdown.autodiscover',
      applicationsToken: 'Applications',
    },
    absoluteUserLinks: false,
  },
  feed: { recordRoot: 'Diagnostics', diagnosticsElement: 'VendorDiagnostics', senderRoot: 'Ringdown' },
};

/** The names that unmodified clients and senders of the best-known deployed server expect. */
export const msProfile: VendorProfile = {
  name: 'ms',
  web: {
    challengeScheme: 'MsRtcOAuth',
    identityScopeField: 'ms_rtc_identityscope',
    grantPrefix: 'urn:microsoft.rtc:',
    conferenceUriField: 'ms_rtc_conferenceuri',
    renewField: 'ms_rtc_renew',
    headerPrefix: 'X-MS-',
    diagnosticsHeader: 'X-Ms-diagnostics',
    versionHeader: 'X-MS-UcwaVersion',
    version: '1.7',
    mediaType: 'application/vnd.microsoft.com.ucwa',
    xmlNamespace: 'http://schemas.microsoft.com/rtc/2012/03/ucwa',
    discoveryLabels: ['lyncdiscoverinternal', 'lyncdiscover'],
    tokenPrefix: 'cwt=',
    photoCookie: 'cwt_ucwa',
    paths: {
      discovery: ['/Autodiscover/AutodiscoverService.svc/root', '/Autodiscover/AutodiscoverService.svc', '/'],
      user: [
        '/Autodiscover/AutodiscoverService.svc/root/oauth/user',
        '/Autodiscover/AutodiscoverService.svc/root/user',
      ],
      token: ['/WebTicket/oauthtoken'],
      signOut: ['/WebTicket/oauthtoken/revoke'],
      crossFrame: ['/Autodiscover/XFrame/XFrame.html', '/xframe'],
      api: ['/ucwa/oauth/v1', '/ucwa/v1'],
    },
    nativeDiscovery: {
      mediaType: 'application/vnd.microsoft.rtc.autodiscover',
      applicationsToken: 'Ucwa',
    },
    absoluteUserLinks: true,
  },
  feed: { recordRoot: 'LyncDiagnostics', diagnosticsElement: 'MSDiagnostics', senderRoot: 'LDL' },
};
