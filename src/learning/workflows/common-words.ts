import { ANALYSIS } from '../../search';

/**
 * Words of everyday English that stand in every tale of anything, beyond those that search leaves out altogether. Where a
 * collection is small and written tersely they are rare in it, and what is rare weighs much: they weigh less than that.
 */
const COMMON_WORDS = `
able accept across act actually add ago ahead allow almost alone along already although always among amount
another answer anybody anyone anything anyway apart appear around ask away back bad bar base basic became become
began begin behind believe best better big bit bring brought build built buy call called came care carry case
catch certain chance change check choose clear close come common company complete consider contain continue
correct cost could country course cover customer customers cut day days deal decide depend describe different do
done door double down draw drive drop early easy either else end enough enter entire especially even ever every
everybody everyone everything everywhere exactly example expect explain fact fall family far fast feel felt few
figure fill final find fine finish first five follow foot force forget forgot form found four free friend front
full further gave general get getting give given go goes going gone good got great group grow had half hand
hands happen happened hard head hear heard held help high hold home hope hour hours house however hundred idea
important include inside instead interest issue job keep kept kind knew know known large last late later lead
learn least leave left less let letter life like likely line list little live long look lose lost lot made main
make man many matter maybe mean means meet mind minute minutes miss moment month months morning move much must
name near nearly need needed never new next nice night nobody none nothing notice now number odd often old one
open order others otherwise outside part particular pass past pay people perhaps person piece place plan play
point possible present probably problem proper properly provide pull put question quick quickly quite rather
reach read ready real really reason receive recent remain remember rest result return right room round run
running said saw say says second see seem seems seen send sent set several show side similar simple simply since
single sit six small somebody someone something sometimes somewhere soon sort sound speak spend stand start
started state stay step still stop stopped straight strange suddenly suppose sure system take taken taking talk
tell ten thing things think thought thousand three time times today together told tomorrow took top total toward
town tried try turn turned two type understand unless use used user users using usual usually various want
wanted way ways week weeks well went whatever whenever whether whole wide wish within without woman word work
worked working works world worse worst write written wrong year years yesterday yet young
`;

let stems: ReadonlySet<string> | undefined;

/** Whether a stem is that of a word that tells little, however rare it is. */
export function isCommon(stem: string): boolean {
  stems ??= new Set(COMMON_WORDS.trim().split(/\s+/).map(ANALYSIS.stem));
  return stems.has(stem);
}
