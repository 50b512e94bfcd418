/** How much of an attack a run makes: a share by default, all of it where the environment asks. */
export const attackSize = (share: number): number =>
  Number(process.env.CONTEXTENGINE_ATTACKS ?? share);
