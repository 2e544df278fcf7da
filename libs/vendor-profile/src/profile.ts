/**
 * Everything that differs between vendors of the same two interfaces, as data.
 * The default profile follows `spec.md`; the profile `ms` follows what real clients and senders of one vendor use.
 */
export interface VendorProfile {
  readonly name: string;
  readonly web: WebNames;
  readonly feed: FeedNames;
}

/** Names of interface A (client web interface). */
export interface WebNames {
  /** Scheme of the challenge that names the token service, spec "Client web interface", row 2. */
  readonly challengeScheme: string;
  readonly identityScopeField: string;
  /** What stands in front of the grant types that are not OAuth's own: `urn:ringdown:uc:` for `urn:ringdown:uc:anonmeeting`. */
  readonly grantPrefix: string;
  /** Parameter of the anonymous-meeting grant that names the meeting. */
  readonly conferenceUriField: string;
  /** Parameter of the anonymous-meeting grant with the token whose identity is to be kept. */
  readonly renewField: string;
  /** Prefix of vendor headers, with the trailing dash: `X-Ringdown-`. */
  readonly headerPrefix: string;
  /** Header that says in one line why something was refused. Spelled out, as its case is not that of the others. */
  readonly diagnosticsHeader: string;
  /** Header with the version of the interface, and what it says. */
  readonly versionHeader: string;
  readonly version: string;
  /** Media type without its `+xml` or `+json` ending. */
  readonly mediaType: string;
  readonly xmlNamespace: string;
  /** First label of the discovery host, in the order clients try them. */
  readonly discoveryLabels: readonly string[];
  /** Text in front of every access token. */
  readonly tokenPrefix: string;
  /** Name of the cookie with which browsers show photos. */
  readonly photoCookie: string;
  readonly paths: WebPaths;
  readonly nativeDiscovery: NativeDiscoveryNames;
  /** Whether links of the discovery document and the user resource are absolute; inside applications they never are. */
  readonly absoluteUserLinks: boolean;
}

/**
 * Public paths. The first of each list is the one that links show, the last the one that native clients are led to; all
 * are served.
 * Paths are compared without regard to case.
 */
export interface WebPaths {
  readonly discovery: readonly string[];
  readonly user: readonly string[];
  readonly token: readonly string[];
  /** Where a token is given back: sign-out. */
  readonly signOut: readonly string[];
  /** The page through which browser clients of other origins make their requests. */
  readonly crossFrame: readonly string[];
  /** Root in front of `/applications`. */
  readonly api: readonly string[];
}

/** Names of the discovery document in the form that native and mobile clients ask for. */
export interface NativeDiscoveryNames {
  /** Without its `+xml`. */
  readonly mediaType: string;
  /** Token of the link to the applications. */
  readonly applicationsToken: string;
}

/** Names of interface B (diagnostics feed). */
export interface FeedNames {
  /** Root element of a record: `Diagnostics`. */
  readonly recordRoot: string;
  /** Element with the diagnostics text: `VendorDiagnostics`. */
  readonly diagnosticsElement: string;
  /** First path segment that a sender of this vendor posts to. */
  readonly senderRoot: string;
}
