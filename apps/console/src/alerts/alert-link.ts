/** The calls behind an alert as a path of the router: the server gives a whole address, of its public origin. */
export function callsPath(link: string): string {
  const { pathname, search } = new URL(link, 'https://console.invalid');
  return `${pathname.replace(/^\/console(?=\/)/, '')}${search}`;
}
