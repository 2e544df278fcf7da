/** A browser at a provider: keeps its cookies, and follows it until it leads back to a page of ours. */
export class ProviderBrowser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly page: string) {}

  async request(href: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const response = await fetch(href, { redirect: 'manual', headers: { cookie }, ...sent });
    for (const each of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (each.split(';', 1)[0] ?? '').split('=', 2);
      this.cookies.set(name, value);
    }
    return response;
  }

  /** The address at which it is back. */
  async follow(first: string, form?: Readonly<Record<string, string>>): Promise<URL> {
    let response = await this.request(first, form);
    for (let href = first; ; response = await this.request(href)) {
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
      href = new URL(location, href).href;
      if (href.startsWith(this.page)) return new URL(href);
    }
  }
}
