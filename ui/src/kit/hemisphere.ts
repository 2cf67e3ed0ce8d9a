/** The hemisphere of a time zone, which decides the months of a season. The server has the same list. */
export type Hemisphere = "north" | "south";

/** Areas of the IANA database that are wholly south of the equator. */
const AREAS = ["America/Argentina", "Antarctica", "Australia", "Brazil", "Chile", "NZ", "NZ-CHAT"];

/** Places south of the equator in the other areas, with former names. */
const PLACES: Record<string, string> = {
  Africa:
    "Blantyre Brazzaville Bujumbura Dar_es_Salaam Gaborone Harare Johannesburg Kigali Kinshasa Luanda Lubumbashi " +
    "Lusaka Maputo Maseru Mbabane Nairobi Windhoek",
  America:
    "Araguaina Asuncion Bahia Belem Buenos_Aires Campo_Grande Catamarca Cordoba Coyhaique Cuiaba Eirunepe " +
    "Fortaleza Guayaquil Jujuy La_Paz Lima Maceio Manaus Mendoza Montevideo Noronha Porto_Acre Porto_Velho " +
    "Punta_Arenas Recife Rio_Branco Rosario Santarem Santiago Sao_Paulo",
  Asia: "Dili Jakarta Jayapura Makassar Pontianak Ujung_Pandang",
  Atlantic: "South_Georgia St_Helena Stanley",
  Indian: "Antananarivo Chagos Christmas Cocos Comoro Kerguelen Mahe Mauritius Mayotte Reunion",
  Pacific:
    "Apia Auckland Bougainville Chatham Easter Efate Enderbury Fakaofo Fiji Funafuti Galapagos Gambier " +
    "Guadalcanal Kanton Marquesas Nauru Niue Norfolk Noumea Pago_Pago Pitcairn Port_Moresby Rarotonga Samoa " +
    "Tahiti Tongatapu Wallis",
  US: "Samoa",
};

/** The hemisphere in which most people of a zone live; north for zones without a place, like UTC. */
export function hemisphereOf(zone: string): Hemisphere {
  const cut = zone.lastIndexOf("/");
  const area = cut < 0 ? zone : zone.slice(0, cut);
  const isSouthern = AREAS.includes(area) || PLACES[area]?.split(" ").includes(zone.slice(cut + 1));
  return isSouthern ? "south" : "north";
}
