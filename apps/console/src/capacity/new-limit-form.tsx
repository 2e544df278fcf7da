import { useState, type ReactNode } from 'react';
import type { TrunkLimit } from '../api/answers.js';
import fields from '../parts/field.module.css';
import { texts } from '../texts/capacity.js';
import { LimitForm } from './limit-form.js';

interface NewLimitFormProps {
  readonly limits: readonly TrunkLimit[];
  readonly onDone: () => void;
}

const LONGEST_NAME = 255;

/** The limit of a trunk whose name is typed. If it has one, that is shown before it is replaced. */
export function NewLimitForm({ limits, onDone }: NewLimitFormProps): ReactNode {
  const [typed, type] = useState('');
  const trunk = typed.trim();
  // Names of trunks are not case-sensitive.
  const limit = limits.find((each) => each.trunk === trunk.toLowerCase());
  return (
    <LimitForm trunk={trunk} limit={limit} onDone={onDone} isTyped>
      <label className={fields['label']}>
        {texts.trunkName}
        <input
          className="field"
          type="text"
          value={typed}
          maxLength={LONGEST_NAME}
          spellCheck={false}
          autoCapitalize="none"
          required
          onChange={(event) => type(event.target.value)}
        />
      </label>
    </LimitForm>
  );
}
