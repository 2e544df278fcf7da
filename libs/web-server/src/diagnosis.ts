import type { WebNames } from '@ringdown/vendor-profile';

/**
 * The header with the reason of an error, in the form that clients show: `28020;source="host";reason="…"`.
 * `origin` is the public origin whose host is the source.
 */
export function diagnosis(web: WebNames, origin: string, number: number, reason: string): Record<string, string> {
  const source = new URL(origin).hostname;
  return { [web.diagnosticsHeader]: `${number};source="${source}";reason="${reason.replaceAll('"', "'")}"` };
}
