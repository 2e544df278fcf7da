import type { ReactNode } from 'react';
import type { PeoplePage } from '../api/answers.js';
import forms from '../parts/form.module.css';
import { texts } from '../texts/administration.js';

/** Why people cannot be changed here. */
export function SourceNote({ source }: { readonly source: Exclude<PeoplePage['source'], 'server'> }): ReactNode {
  return (
    <p className={`card ${forms['note']}`} role="note">
      {source === 'file' ? texts.fromFile('PEOPLE_FILE') : texts.fromDirectory('DIRECTORY_URL')}
    </p>
  );
}
