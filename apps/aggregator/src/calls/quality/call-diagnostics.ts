import { diagnosticsValue } from '@ringdown/xml-schemas/fields';
import type { Outcome, VendorDiagnostics } from '@ringdown/xml-schemas/record';
import type { Call, Diagnostics, DiagnosticsKind } from '../call.js';
import { diagnosticsMeaning, type DiagnosticsTexts } from './diagnostics-texts.js';

/** Where each kind is in a record; the server's own is the most exact. */
const KINDS: readonly (readonly [DiagnosticsKind, keyof Outcome & `diagnostics${string}`])[] = [
  ['server', 'diagnostics'],
  ['client', 'diagnosticsClient'],
  ['public', 'diagnosticsPublic'],
];

/** Of all kinds, each text once in each; the most exact kind first, regardless of which outcome has it. */
export function outcomeDiagnostics(outcomes: readonly Outcome[], texts: DiagnosticsTexts): readonly Diagnostics[] {
  return KINDS.flatMap(([kind, field]) => {
    const byText = new Map<string, Diagnostics>();
    for (const outcome of outcomes) {
      const diagnostics = outcome[field];
      if (diagnostics !== undefined && !byText.has(diagnostics.text))
        byText.set(diagnostics.text, readable(kind, diagnostics, texts));
    }
    return [...byText.values()];
  });
}

/** Those of its errors, of its end and of other responses. */
export function callDiagnosticsCodes({
  errors,
  end,
  details,
}: Pick<Call, 'errors' | 'end' | 'details'>): readonly number[] {
  const ofErrors = errors.flatMap(({ diagnostics, otherDiagnostics = [] }) => [diagnostics, ...otherDiagnostics]);
  const ofResponses = (details.responses ?? []).flatMap(({ diagnostics }) => diagnostics);
  const all = [...ofErrors, ...(end?.diagnostics ?? []), ...ofResponses];
  return all.flatMap((diagnostics) => diagnostics?.code ?? []);
}

function readable(kind: DiagnosticsKind, diagnostics: VendorDiagnostics, texts: DiagnosticsTexts): Diagnostics {
  const meaning = diagnosticsMeaning(diagnostics.code, texts);
  return {
    kind,
    code: diagnostics.code ?? null,
    reason: diagnosticsValue(diagnostics, 'reason') ?? null,
    source: diagnosticsValue(diagnostics, 'source') ?? null,
    text: diagnostics.text,
    ...(meaning === undefined ? {} : { meaning }),
  };
}
