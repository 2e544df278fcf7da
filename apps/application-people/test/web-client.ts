/** One user's client of the service: sends requests with the user's token and reads JSON. */
export class WebClient {
  constructor(
    readonly base: string,
    readonly token: string,
  ) {}

  /** The same user at another replica. */
  at(base: string): WebClient {
    return new WebClient(base, this.token);
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.base + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('POST', path, body, headers);
  }

  /** The resource at this path; throws when it does not exist. */
  async read(path: string): Promise<AnyResource> {
    const response = await this.get(path);
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return responseResource(response);
  }

  async create(endpointId: string, more: object = {}): Promise<AnyResource> {
    const response = await this.post('/uc/v1/applications', {
      culture: 'en',
      endpointId,
      userAgent: 'Test/1',
      ...more,
    });
    if (!response.ok) throw new Error(`no application: ${response.status} ${await response.text()}`);
    return responseResource(response);
  }
}

/** The JSON form of a resource, with the properties that tests read of every resource. */
export interface AnyResource {
  readonly id?: string;
  readonly etag?: string;
  readonly _links: Readonly<Record<string, { readonly href: string } | undefined>>;
  readonly _embedded?: Readonly<Record<string, AnyResource>>;
}

export async function responseResource(response: Response): Promise<AnyResource> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test that reads what is not there fails
  return (await response.json()) as AnyResource;
}

/** The link or links of a relation. */
export function linksTo({ _links: links }: AnyResource, rel: string): unknown {
  return links[rel];
}

export function resourceHref(resource: AnyResource | undefined, rel = 'self'): string {
  const { _links: links } = resource ?? { _links: {} };
  const href = links[rel]?.href;
  if (href === undefined) throw new Error(`no link ${rel} in ${JSON.stringify(resource)}`);
  return href;
}

export function resourceLinkNames(resource: AnyResource | undefined): readonly string[] {
  const { _links: links } = resource ?? { _links: {} };
  return Object.keys(links);
}

/** The user as the application shows them. */
export function embeddedMe({ _embedded: embedded }: AnyResource): AnyResource | undefined {
  return embedded?.['me'];
}
