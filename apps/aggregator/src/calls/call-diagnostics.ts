import { diagnosticsValue, type Outcome, type VendorDiagnostics } from '@ringdown/xml-schemas';
import type { Call, Diagnostics, DiagnosticsKind } from './call.js';

/** Where each kind is in a record; the server's own is the most exact. */
const KINDS: readonly (readonly [DiagnosticsKind, keyof Outcome & `diagnostics${string}`])[] = [
  ['server', 'diagnostics'],
  ['client', 'diagnosticsClient'],
  ['public', 'diagnosticsPublic'],
];

/** Of all kinds, each text once in each; the most exact kind first, regardless of which outcome has it. */
export function diagnosticsOf(outcomes: readonly Outcome[]): readonly Diagnostics[] {
  return KINDS.flatMap(([kind, field]) => {
    const byText = new Map<string, Diagnostics>();
    for (const outcome of outcomes) {
      const diagnostics = outcome[field];
      if (diagnostics !== undefined && !byText.has(diagnostics.text))
        byText.set(diagnostics.text, readable(kind, diagnostics));
    }
    return [...byText.values()];
  });
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
