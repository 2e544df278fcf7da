import { diagnosticsValue, type Outcome, type VendorDiagnostics } from '@ringdown/xml-schemas';
import type { Call, Diagnostics, DiagnosticsKind } from './call.js';

/** Where each kind is in a record; the server's own is the most exact. */
const KINDS: readonly (readonly [DiagnosticsKind, keyof Outcome & `diagnostics${string}`])[] = [
  ['server', 'diagnostics'],
  ['client', 'diagnosticsClient'],
  ['public', 'diagnosticsPublic'],
];

/** Of all kinds, each text once. */
export function diagnosticsOf(outcomes: readonly Outcome[]): readonly Diagnostics[] {
  const known = new Map<string, Diagnostics>();
  for (const outcome of outcomes) {
    for (const [kind, field] of KINDS) {
      const diagnostics = outcome[field];
      if (diagnostics !== undefined && !known.has(diagnostics.text))
        known.set(diagnostics.text, readable(kind, diagnostics));
    }
  }
  return [...known.values()];
}

/** Those of its errors and of its end. */
export function diagnosticsCodesOf({ errors, end }: Pick<Call, 'errors' | 'end'>): readonly number[] {
  const all = [...errors.map(({ diagnostics }) => diagnostics), ...(end?.diagnostics ?? [])];
  return all.flatMap((diagnostics) => diagnostics?.code ?? []);
}

function readable(kind: DiagnosticsKind, diagnostics: VendorDiagnostics): Diagnostics {
  return {
    kind,
    code: diagnostics.code ?? null,
    reason: diagnosticsValue(diagnostics, 'reason') ?? null,
    source: diagnosticsValue(diagnostics, 'source') ?? null,
    text: diagnostics.text,
  };
}
