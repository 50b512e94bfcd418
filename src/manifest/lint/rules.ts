/** The rules of the lint: a new one is one file and one line here. */
import { absentSignal } from './absent-signal.ts';
import { floorTooHigh } from './floor-too-high.ts';
import { idleDistillation } from './idle-distillation.ts';
import { limitOverTotal } from './limit-over-total.ts';
import type { LintRule } from './rule.ts';
import { staticText } from './static-text.ts';
import { unknownBlockType } from './unknown-block-type.ts';
import { unknownModel } from './unknown-model.ts';
import { unknownScopeType } from './unknown-scope-type.ts';
import { unreachableLayer } from './unreachable-layer.ts';
import { unservedClass } from './unserved-class.ts';
import { unusedSetting } from './unused-setting.ts';
import { volatilePrefix } from './volatile-prefix.ts';
import { widerPermission } from './wider-permission.ts';

export const LINT_RULES: readonly LintRule[] = [
  staticText,
  limitOverTotal,
  unreachableLayer,
  unservedClass,
  unknownScopeType,
  unknownBlockType,
  unknownModel,
  absentSignal,
  floorTooHigh,
  unusedSetting,
  volatilePrefix,
  widerPermission,
  idleDistillation,
];
