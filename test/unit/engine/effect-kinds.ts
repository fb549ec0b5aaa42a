// All kinds of effects, in the order of the decision table.
import { effectKindSchema } from '../../../src-main/contract/authority.ts';

export const EFFECT_KINDS = effectKindSchema.options;
