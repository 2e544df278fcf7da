/**
 * Everything that differs between vendors of the same two interfaces, as data.
 * The default profile has neutral names; the profile `ms` follows what real clients and senders of one vendor use.
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
  /** Prefix of grant types that are not defined by OAuth: `urn:ringdown:uc:` for `urn:ringdown:uc:anonmeeting`. */
  readonly grantPrefix: string;
  /** Parameter of the anonymous-meeting grant that identifies the meeting. */
  readonly conferenceUriField: string;
  /** Parameter of the anonymous-meeting grant with the token whose identity is kept. */
  readonly renewField: string;
  /** Prefix of vendor headers, with the trailing dash: `X-Ringdown-`. */
  readonly headerPrefix: string;
  /** Header with the reason of an error in one line. The full name, because its case differs from the others. */
  readonly diagnosticsHeader: string;
  /** Header with the version of the interface, and its value. */
  readonly versionHeader: string;
  readonly version: string;
  /** Media type without its `+xml` or `+json` ending. */
  readonly mediaType: string;
  readonly xmlNamespace: string;
  /** First label of the discovery host, in the order in which clients try them. */
  readonly discoveryLabels: readonly string[];
  /** Prefix of every access token. */
  readonly tokenPrefix: string;
  /** Name of the cookie that browsers send for photos. */
  readonly photoCookie: string;
  readonly paths: WebPaths;
  readonly nativeDiscovery: NativeDiscoveryNames;
  /** Whether links of the discovery document and the user resource are absolute; inside applications they never are. */
  readonly absoluteUserLinks: boolean;
}

/**
 * Public paths. The first of each list is used in links, the last one in links for native clients; all are served.
 * Paths are compared without regard to case.
 */
export interface WebPaths {
  readonly discovery: readonly string[];
  readonly user: readonly string[];
  readonly token: readonly string[];
  /** Where a token is revoked: sign-out. */
  readonly signOut: readonly string[];
  /** The page through which browser clients of other origins send their requests. */
  readonly crossFrame: readonly string[];
  /** Root before `/applications`. */
  readonly api: readonly string[];
}

/** Names of the discovery document in the format that native and mobile clients request. */
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
  /** First path segment to which a sender of this vendor posts. */
  readonly senderRoot: string;
}
