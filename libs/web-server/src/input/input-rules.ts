import { getMetadataStorage, ValidationTypes, type ValidationArguments } from 'class-validator';

type InputClass = new () => object;
type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Rule = (object: object) => boolean;

/** Of each class; undefined if it has a kind of rule that only class-validator itself can check. */
const rules = new WeakMap<InputClass, readonly Rule[] | undefined>();

/**
 * Whether an instance of the class certainly meets all its rules. This is the usual case, and class-validator spends ten
 * times as long on it: it prepares an error for each property. False: class-validator decides, and finds the reasons.
 */
export function meetsRules(inputClass: InputClass, instance: object): boolean {
  if (!rules.has(inputClass)) rules.set(inputClass, inputClassRules(inputClass));
  return rules.get(inputClass)?.every((isMet) => isMet(instance)) ?? false;
}

function inputClassRules(inputClass: InputClass): readonly Rule[] | undefined {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(inputClass, '', false, false);
  const ofProperties = storage.groupByPropertyName(all);
  const found = Object.entries(ofProperties).map(([name, metadata]) => propertyRule(inputClass, name, metadata));
  return found.every((rule) => rule !== undefined) ? found : undefined;
}

/** All rules of one property, which do not apply where it is optional and absent. */
function propertyRule(inputClass: InputClass, property: string, all: readonly Metadata[]): Rule | undefined {
  const conditions = all.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  const checks = all.filter((metadata) => !conditions.includes(metadata));
  if (checks.some((metadata) => !isPlain(metadata))) return undefined;
  const storage = getMetadataStorage();
  const validators = checks.flatMap(({ constraintCls, constraints }) =>
    storage.getTargetValidatorConstraints(constraintCls).map(({ instance }) => ({ instance, constraints })),
  );
  const targetName = inputClass.name;
  return (object) => {
    const value: unknown = Reflect.get(object, property);
    if (!conditions.every(({ constraints }) => Boolean(constraints[0](object, value)))) return true;
    return validators.every(({ instance, constraints }) => {
      const details: ValidationArguments = { targetName, property, object, value, constraints };
      return instance.validate(value, details) === true;
    });
  };
}

/** A check of one value by a validator that answers at once or, if not, is repeated by class-validator. */
function isPlain({ type, each, groups, validateIf }: Metadata): boolean {
  const isCheck = type === ValidationTypes.CUSTOM_VALIDATION || type === ValidationTypes.IS_DEFINED;
  // Not what its type says where a decorator has other options.
  const hasGroups = Array.isArray(groups) && groups.length > 0;
  return isCheck && !each && !hasGroups && validateIf === undefined;
}
