'use client';

import { useApiTexts } from '#components/i18n/use-api-texts.ts';
import { Field } from '#components/ui/field.tsx';

interface SecretFieldsProps {
  names: readonly string[];
  values: Readonly<Record<string, string>>;
  /** The text that an empty field shows. */
  placeholder?: string | undefined;
  onChange(values: Readonly<Record<string, string>>): void;
}

/** The fields for the values of an API's secrets. They hide what is typed; stored values are never shown. */
export function SecretFields({ names, values, placeholder, onChange }: SecretFieldsProps) {
  const texts = useApiTexts();
  if (names.length === 0) return null;
  return (
    <fieldset className="grid gap-2 text-sm">
      <legend className="text-muted">{texts.secrets}</legend>
      <p className="text-muted text-xs">{texts.secretsHelp}</p>
      {names.map((name) => (
        <Field
          key={name}
          label={name}
          isSecret={typedIn(values, name) !== ''}
          placeholder={placeholder}
          value={typedIn(values, name)}
          onChange={(event) => onChange({ ...values, [name]: event.target.value })}
        />
      ))}
    </fieldset>
  );
}

const typedIn = (values: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(values, name) ? (values[name] ?? '') : '';
