import type { VendorProfile } from './profile.js';

/** Neutral names; whatever `spec.md` names is named so here. */
export const defaultProfile: VendorProfile = {
  name: 'default',
  web: {
    challengeScheme: 'RingdownOAuth',
    identityScopeField: 'ringdown_rtc_identityscope',
    headerPrefix: 'X-Ringdown-',
    mediaType: 'application/vnd.ringdown.uc',
    xmlNamespace: 'urn:ringdown:uc:v1',
    discoveryLabels: ['ucdiscoverinternal', 'ucdiscover'],
    tokenPrefix: '',
    paths: { discovery: ['/'], user: ['/uc/discovery/user'], token: ['/uc/token'], api: ['/uc/v1'] },
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
    headerPrefix: 'X-MS-',
    mediaType: 'application/vnd.microsoft.com.ucwa',
    xmlNamespace: 'http://schemas.microsoft.com/rtc/2012/03/ucwa',
    discoveryLabels: ['lyncdiscoverinternal', 'lyncdiscover'],
    tokenPrefix: 'cwt=',
    paths: {
      discovery: ['/Autodiscover/AutodiscoverService.svc/root', '/'],
      user: [
        '/Autodiscover/AutodiscoverService.svc/root/oauth/user',
        '/Autodiscover/AutodiscoverService.svc/root/user',
      ],
      token: ['/WebTicket/oauthtoken'],
      api: ['/ucwa/oauth/v1', '/ucwa/v1'],
    },
    absoluteUserLinks: true,
  },
  feed: { recordRoot: 'LyncDiagnostics', diagnosticsElement: 'MSDiagnostics', senderRoot: 'LDL' },
};
